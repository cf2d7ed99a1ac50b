// SPDX-License-Identifier: Apache-2.0
#include "controller/writing/row_gathering.h"

#include <algorithm>
#include <ostream>
#include <utility>

namespace nandscape::controller {

RowGathering::RowGathering(WritingState& writing, const Rows& rows, Tick longest)
    : writing_(writing),
      rows_(rows),
      planes_(writing.layout().flash().planes()),
      planes_per_die_(writing.layout().flash().planes_per_die),
      gathers_(writing.layout().members_per_die() > 1),
      longest_(longest),
      members_(writing.points.count()),
      parts_(members_.size() / planes_per_die_) {}

void RowGathering::take(PageProgram& page, Tick now) {
  if (!gathers_) return enqueue_page(writing_.io, page, now);
  at(page.write_stream, page.plane).waiting.push(page);
  const std::size_t part = part_index(page.write_stream, page.plane);
  ++parts_[part].waiting;
  const bool alone = writing_.points.backlog(page) == parts_[part].waiting;
  wait(part, page.is_padding() || writing_.power.saving || alone ? now : now + longest_, now);
}

// Pages are not sent within this call, because it may come from the scheduler while it is choosing an operation.
void RowGathering::wait(std::size_t part, Tick until, Tick now) {
  Part& state = parts_[part];
  state.until = std::min(state.until, until);
  look_at(part, row_complete(part) ? now : state.until);
}

void RowGathering::look_at(std::size_t part, Tick at) {
  if (parts_[part].look_at <= at) return;
  parts_[part].look_at = at;
  writing_.calendar.schedule<&RowGathering::look>(at, *this, part);
}

void RowGathering::look(std::uint64_t part) {
  const Tick now = writing_.calendar.now();
  Part& state = parts_[part];
  if (state.look_at != now) return;
  state.look_at = never;
  const bool all = state.until <= now;
  writing_.scheduler.hold();
  while (state.waiting != 0 && (all || row_complete(part))) send_row(part, now);
  writing_.scheduler.send_held(now);
  state.until = never;
  if (state.waiting != 0) wait(part, now + longest_, now);
}

// Returns whether no other page of the first row that waits can arrive later.
bool RowGathering::row_complete(std::size_t part) {
  const std::uint64_t row = first_row(part);
  FlashPlane plane(static_cast<std::uint32_t>(part * planes_per_die_ % planes_));
  for (const Member& m : members_of(part)) {
    const FlashPlane of_member(plane.value++);
    if (waits_for(m, row) || m.sent_to > row) continue;
    if (rows_.has_data(row, writing_.layout().member_of(of_member))) return false;
  }
  return true;
}

std::uint64_t RowGathering::first_row(std::size_t part) {
  std::uint64_t row = ~std::uint64_t{0};
  for (const Member& m : members_of(part)) {
    if (!m.waiting.empty()) row = std::min(row, m.waiting.front()->planned_row);
  }
  return row;
}

void RowGathering::send_row(std::size_t part, Tick now) {
  const std::uint64_t row = first_row(part);
  for (Member& m : members_of(part)) {
    if (!waits_for(m, row)) continue;
    m.sent_to = row + 1;
    --parts_[part].waiting;
    enqueue_page(writing_.io, m.waiting.pop(), now);
  }
}

void RowGathering::send_all(std::uint8_t stream, FtlPlane set) {
  if (!gathers_) return;
  const FlashLayout& layout = writing_.layout();
  const Tick now = writing_.calendar.now();
  for (std::uint32_t k = 0; k < layout.members(); k += layout.members_per_die()) {
    const std::size_t part = part_index(stream, layout.flash_plane(set, k));
    if (parts_[part].waiting != 0) wait(part, now, now);
  }
}

void RowGathering::list_waiting(std::ostream& out) const {
  for (std::size_t k = 0; k < parts_.size(); ++k) {
    if (parts_[k].waiting == 0) continue;
    const std::size_t parts_of_stream = planes_ / planes_per_die_;
    out << "stream " << k / parts_of_stream << " on die " << k % parts_of_stream << ": " << parts_[k].waiting
        << " pages wait for other pages of their row\n";
  }
}

}  // namespace nandscape::controller

// SPDX-License-Identifier: Apache-2.0
#include "controller/parity/stripe_frontier.h"

#include <algorithm>
#include <ostream>
#include <utility>

#include "controller/mapping/page_tag.h"
#include "controller/parity/parity.h"
#include "controller/writing/page_placement.h"
#include "controller/writing/wordline_ledger.h"

namespace nandscape::controller {

StripeFrontier::StripeFrontier(WritingState& writing, Tick gathering_time)
    : SuperblockFrontier(writing, gathering_time),
      parity_stages_{.placing = *this, .programming = *this},
      parity_pages_(writing.io, parity_stages_),
      rows_(runs()),
      held_(runs() * width()) {
  place_members();
}

// --- places

Turn StripeFrontier::turn(const PageProgram& page) const {
  return at_parity(member(page.write_stream, page.plane)) ? Turn::later : Turn::now;
}

std::optional<std::uint32_t> StripeFrontier::next_page(const PageProgram& page, bool may_open) const {
  const bool waits = has_block(page.write_stream, page.plane) && at_parity(member(page.write_stream, page.plane));
  return waits ? std::nullopt : SuperblockFrontier::next_page(page, may_open);
}

void StripeFrontier::row_taken(PageProgram& page, std::uint64_t number) {
  const FtlPlane set = set_of(page);
  Row& row = open_row(page, rows(page.write_stream, set), number);
  const DataPath& path = writing().io.path();
  if (path.keeps_data()) add_bytes(row.parity->command.data, page.command.data, path.buffer_bytes());
  add_tag(row.parity->tag, page.command.tag);
  --row.missing;
  send_parity_if_due(page.write_stream, set, member(page.write_stream, row.parity->plane));
}

StripeFrontier::Row& StripeFrontier::open_row(const PageProgram& page, OpenRows& rows, std::uint64_t number) {
  for (Row& row : rows) {
    if (row.number == number) return row;
  }
  const FlashLayout& layout = writing().layout();
  PageProgram& parity = parity_pages_.acquire();
  parity.set_origin(PageOrigin::migration);
  parity.write_stream = page.write_stream;
  parity.block = page.block;
  parity.command.operation = NandOperation::program;
  parity.command.bytes = layout.flash().page_bytes;
  parity.tag = {parity_mark};
  parity.command.tag = std::span(parity.tag).first(2 * layout.units_per_page());
  const std::uint32_t row_in_block = row_of_block(number);
  FlashIo::set_address(parity, layout.find(page.block, row_in_block, row_in_block % width()));
  parity.command.mode = page.command.mode;
  const DataPath& path = writing().io.path();
  if (path.keeps_data()) std::fill_n(parity.command.data, path.buffer_bytes(), std::byte{0});
  writing().blocks.pin_program(page.block);
  ++open_groups_;
  return rows.emplace_back(Row{number, width() - 1, &parity});
}

void StripeFrontier::advanced(std::uint8_t stream, FtlPlane set, Member& m) { send_parity_if_due(stream, set, m); }

bool StripeFrontier::takes_withdrawn(PageProgram& page, Tick now) {
  const FtlPlane set = set_of(page);
  const Member& m = member(page.write_stream, page.plane);
  if (!at_parity(m)) return SuperblockFrontier::takes_withdrawn(page, now);
  if (first_unassigned(page.write_stream, set) > m.next) {
    held(page.write_stream, set, m).push(page);
    return true;
  }
  // Pages that went elsewhere have left a gap in the row, which no other page will fill. The page cannot wait for the
  // parity of this row, so it is written elsewhere.
  placement().unassign(page);
  placement().place_again(page, now);
  return true;
}

// Held pages might otherwise wait for ever for a row that the page was to complete.
void StripeFrontier::left(std::uint8_t stream, FlashPlane plane) {
  SuperblockFrontier::left(stream, plane);
  const FtlPlane set = writing().layout().mapping_plane(plane);
  for (const Member& m : members(stream, set)) send_held(stream, set, m);
}

// --- parity

Placement StripeFrontier::place(PageProgram& parity, Tick) {
  if (writing().blocks.failing(parity.block)) return Placement::withdraw;
  const FtlPlane set = set_of(parity);
  Member& m = member(parity.write_stream, parity.plane);
  ++added_pages_;
  send_held(parity.write_stream, set, m);
  advance(parity.write_stream, set, m);
  placement().placed(parity);
  return Placement::placed;
}

void StripeFrontier::withdrawn(PageProgram& parity, Tick now) {
  const Superblock block = parity.block;
  parity_pages_.release(parity);
  writing().pins.unpin_program(block, now);
}

void StripeFrontier::program_ended(PageProgram& parity, Tick now) {
  if (ledger().passed(parity, now)) {
    WritePoint& point = writing().points.of(parity);
    const bool complete = writing().ends_wordline(parity);
    const Superblock block = parity.block;
    parity_pages_.release(parity);
    if (complete) ledger().wordline_durable(point, now);
    writing().pins.unpin_program(block, now);
  } else {
    give_up_superblock(
        parity, [&] { parity_pages_.release(parity); }, now);
  }
  ledger().complete_awaited_moves();
}

// --- durability

void StripeFrontier::complete(std::uint8_t stream, FlashPlane plane) {
  complete_rows(stream, writing().layout().mapping_plane(plane));
}

// The page also needs the parity of its row, and thus the other pages of the row.
void StripeFrontier::complete_page(const PageProgram& page) {
  complete_all_to(page.write_stream, set_of(page), durable_end(page));
}

// Pads the superblock until no wordline and no row is incomplete.
void StripeFrontier::complete_rows(std::uint8_t stream, FtlPlane set) {
  const Run& of = run(stream, set);
  bool open = !rows(stream, set).empty();
  std::uint64_t end = 0;
  for (const Member& m : members(stream, set)) {
    open |= writing().points.at(stream, writing().layout().flash_plane(set, m.position)).wordline != nullptr;
    end = std::max(end, wordline_end(of, m.next));
  }
  if (open) complete_all_to(stream, set, end);
}

// Removes the open rows of the superblock whose first row is `first`. Each of them has pinned the superblock. Held
// pages are sent, because their member no longer stands at a row of the superblock.
std::uint32_t StripeFrontier::rows_dropped(std::uint8_t stream, FtlPlane set, std::uint64_t first) {
  const std::uint64_t end = first + rows_per_block();
  const auto dropped = std::erase_if(rows(stream, set), [&](Row& row) {
    if (row.number < first || row.number >= end) return false;
    parity_pages_.release(*row.parity);
    return true;
  });
  for (Row& row : rows(stream, set)) row.number -= row.number >= end ? rows_per_block() : 0;
  open_groups_ -= dropped;
  for (const Member& m : members(stream, set)) {
    if (m.next >= first) send_held(stream, set, m);
  }
  for (const Member& m : members(stream, set)) send_parity_if_due(stream, set, m);
  return static_cast<std::uint32_t>(dropped);
}

// --- to the scheduler

// Sends the parity of the member's next row if all other pages of the row have been given their locations.
void StripeFrontier::send_parity_if_due(std::uint8_t stream, FtlPlane set, const Member& m) {
  if (!at_parity(m)) return;
  OpenRows& open = rows(stream, set);
  const auto row = std::ranges::find(open, m.next, &Row::number);
  if (row == open.end() || row->missing != 0) return;
  send_later(parity_to_send_, *row->parity);
  open.erase(row);
  --open_groups_;
}

void StripeFrontier::send_held(std::uint8_t stream, FtlPlane set, const Member& m) {
  PageQueue& pages = held(stream, set, m);
  while (!pages.empty()) send_later(data_to_send_, pages.pop());
}

void StripeFrontier::send_later(PageQueue& queue, PageProgram& page) {
  queue.push(page);
  if (std::exchange(sending_, true)) return;
  writing().calendar.schedule<&StripeFrontier::send_waiting>(writing().calendar.now(), *this, 0);
}

void StripeFrontier::send_waiting(std::uint64_t) {
  sending_ = false;
  const Tick now = writing().calendar.now();
  // Sending a page may add more pages to the queues. These are sent by another event.
  PageQueue parity = std::exchange(parity_to_send_, {});
  PageQueue data = std::exchange(data_to_send_, {});
  while (!parity.empty()) writing().io.enqueue(parity.pop(), now, QueuePosition::first);
  while (!data.empty()) enqueue_page(writing().io, data.pop(), now);
}

// No row is open when the state is saved, so all members are at the same row.
void StripeFrontier::persist(Archive& archive) {
  SuperblockFrontier::persist(archive);
  for (std::size_t k = 0; k < runs(); ++k) {
    const auto all = members(static_cast<std::uint8_t>(k / sets()), FtlPlane(static_cast<std::uint32_t>(k % sets())));
    archive.require(std::ranges::all_of(all, [&](const Member& m) { return m.next == all.front().next; }),
                    "the members of a stripe are at different rows");
  }
}

void StripeFrontier::list_waiting(std::ostream& out) const {
  SuperblockFrontier::list_waiting(out);
  for (std::size_t k = 0; k < rows_.size(); ++k) {
    const auto name = [&]() -> std::ostream& {
      return out << "stripe set " << k % sets() << " stream " << k / sets() << ": ";
    };
    for (const Row& row : rows_[k]) {
      name() << "row " << row.number << " lacks " << row.missing << " pages before its parity\n";
    }
    for (std::uint32_t position = 0; position < width(); ++position) {
      const std::size_t waiting = held_[k * width() + position].size();
      if (waiting == 0) continue;
      const auto stream = static_cast<std::uint8_t>(k / sets());
      const std::uint64_t row = members(stream, FtlPlane(static_cast<std::uint32_t>(k % sets())))[position].next;
      name() << waiting << " pages wait for the parity of row " << row << "\n";
    }
  }
}

}  // namespace nandscape::controller

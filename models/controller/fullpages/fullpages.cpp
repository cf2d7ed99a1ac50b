// SPDX-License-Identifier: Apache-2.0
#include "controller/fullpages/fullpages.h"

#include <algorithm>
#include <utility>

namespace nandscape::controller {

void describe(const FullpageCounters& c, StatisticsVisitor& v) {
  v.count("written", c.written, "fullpages that were spread over layers");
  v.count("in_one_page", c.in_one_page, "fullpages for which no others came in time, and that went into one page each");
  v.count("lone_reads", c.lone_reads, "reads that needed another page besides, for the parity that it lends");
}

Fullpages::Fullpages(std::uint32_t together, std::uint32_t planes, Tick unit_wait, Tick fullpage_wait,
                     Calendar& calendar, Client& client)
    : together_(together),
      unit_wait_(unit_wait),
      fullpage_wait_(fullpage_wait),
      calendar_(calendar),
      client_(client),
      planes_(planes) {}

void Fullpages::take(UnitWrite& unit, Tick now) {
  const std::uint64_t index = unit.lpn.value / layer_quarters;
  auto piece = std::ranges::find(pieces_, index, &Piece::index);
  if (piece == pieces_.end()) {
    piece = pieces_.insert(piece, {pieces_begun_++, index, 0, {}});
    calendar_.schedule<&Fullpages::unit_waited>(now + unit_wait_, *this, piece->number);
  }
  piece->fullpage[unit.lpn.value % layer_quarters] = &unit;
  if (++piece->units < layer_quarters) return;
  const Fullpage fullpage = piece->fullpage;
  pieces_.erase(piece);
  complete(fullpage, now);
}

void Fullpages::complete(const Fullpage& fullpage, Tick now) {
  const FtlPlane plane = client_.plane_of_fullpage(fullpage.front()->lpn);
  if (!plane.valid()) return write_alone(fullpage, now);
  Waiting& on_plane = planes_[plane];
  if (on_plane.fullpages.empty()) {
    const std::uint64_t group = on_plane.group * planes_.size() + plane.value;
    calendar_.schedule<&Fullpages::fullpage_waited>(now + fullpage_wait_, *this, group);
  }
  on_plane.fullpages.push_back(fullpage);
  if (on_plane.fullpages.size() < together_) return;
  ++on_plane.group;
  counters_.written += together_;
  const std::vector<Fullpage> group = std::exchange(on_plane.fullpages, {});
  client_.write_fullpages(group, plane, now);
}

void Fullpages::write_alone(const Fullpage& fullpage, Tick now) {
  for (UnitWrite* unit : fullpage) {
    if (unit != nullptr) client_.write_alone(*unit, now);
  }
}

void Fullpages::unit_waited(std::uint64_t number) {
  const auto piece = std::ranges::find(pieces_, number, &Piece::number);
  if (piece == pieces_.end()) return;
  const Fullpage units = piece->fullpage;
  pieces_.erase(piece);
  write_alone(units, calendar_.now());
}

void Fullpages::fullpage_waited(std::uint64_t group) {
  const FtlPlane plane(static_cast<std::uint32_t>(group % planes_.size()));
  if (planes_[plane].group == group / planes_.size()) give_up(plane, calendar_.now());
}

void Fullpages::give_up(FtlPlane plane, Tick now) {
  Waiting& on_plane = planes_[plane];
  if (on_plane.fullpages.empty()) return;
  ++on_plane.group;
  counters_.in_one_page += on_plane.fullpages.size();
  const std::vector<Fullpage> alone = std::exchange(on_plane.fullpages, {});
  for (const Fullpage& fullpage : alone) write_alone(fullpage, now);
}

void Fullpages::release(Tick now) {
  const std::vector<Piece> pieces = std::exchange(pieces_, {});
  for (const Piece& piece : pieces) write_alone(piece.fullpage, now);
  for (const FtlPlane plane : planes_.places()) give_up(plane, now);
}

}  // namespace nandscape::controller

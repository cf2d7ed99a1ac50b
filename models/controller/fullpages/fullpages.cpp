// SPDX-License-Identifier: Apache-2.0
#include "controller/fullpages/fullpages.h"

#include <algorithm>
#include <utility>

namespace nandscape::controller {

void describe(const FullpageCounters& c, StatisticsVisitor& v) {
  v.count("written", c.written, "fullpages spread over layers");
  v.count("in_one_page", c.in_one_page, "fullpages written into one page each, because no others came in time");
  v.count("lone_reads", c.lone_reads, "reads that needed a second page for the parity that it lends");
}

Fullpages::Fullpages(const Shape& shape, Tick unit_wait, Tick fullpage_wait, Calendar& calendar, Client& client)
    : shape_(shape),
      unit_wait_(unit_wait),
      fullpage_wait_(fullpage_wait),
      calendar_(calendar),
      client_(client),
      dies_(shape.planes / shape.planes_together) {}

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
  const std::uint32_t number = plane.value / shape_.planes_together;
  Die& die = dies_[number];
  if (die.fullpages.empty()) {
    die.first = plane;
    calendar_.schedule<&Fullpages::fullpage_waited>(now + fullpage_wait_, *this, die.round * dies_.size() + number);
  }
  die.fullpages.push_back(fullpage);
  if (die.fullpages.size() == std::size_t{shape_.per_group} * shape_.planes_together) write(number, now);
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

void Fullpages::fullpage_waited(std::uint64_t round) {
  const auto die = static_cast<std::uint32_t>(round % dies_.size());
  if (dies_[die].round == round / dies_.size()) write(die, calendar_.now());
}

// Cyclically, starting with the plane of the first fullpage.
std::vector<FtlPlane> Fullpages::planes_for(std::uint32_t groups, FtlPlane first) {
  const std::uint32_t of_die = first.value % shape_.planes_together;
  std::vector<FtlPlane> planes;
  for (std::uint32_t k = 0; k < shape_.planes_together && planes.size() < groups; ++k) {
    const FtlPlane plane(first.value - of_die + (of_die + k) % shape_.planes_together);
    if (client_.takes_group(plane)) planes.push_back(plane);
  }
  return planes;
}

void Fullpages::write(std::uint32_t number, Tick now) {
  Die& die = dies_[number];
  ++die.round;
  const std::vector<Fullpage> fullpages = std::exchange(die.fullpages, {});
  const auto groups = static_cast<std::uint32_t>(fullpages.size() / shape_.per_group);
  const std::vector<FtlPlane> planes = planes_for(groups, die.first);
  const std::size_t together = planes.size() * shape_.per_group;
  counters_.written += together;
  counters_.in_one_page += fullpages.size() - together;
  if (together != 0) client_.write_groups(std::span(fullpages).first(together), planes, now);
  for (const Fullpage& fullpage : std::span(fullpages).subspan(together)) write_alone(fullpage, now);
}

void Fullpages::release(Tick now) {
  const std::vector<Piece> pieces = std::exchange(pieces_, {});
  for (const Piece& piece : pieces) write_alone(piece.fullpage, now);
  for (std::uint32_t die = 0; die < dies_.size(); ++die) {
    if (!dies_[die].fullpages.empty()) write(die, now);
  }
}

}  // namespace nandscape::controller

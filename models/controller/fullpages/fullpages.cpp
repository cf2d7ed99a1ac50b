// SPDX-License-Identifier: Apache-2.0
#include "controller/fullpages/fullpages.h"

#include <algorithm>
#include <array>
#include <string>
#include <utility>

#include "core/error.h"

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

// Returns the planes of the die that can be written now, at most `groups` of them, in cyclic order from the plane of
// the first fullpage.
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

void describe(FullpageParameters& p, ParameterVisitor& v) {
  v.unread_if(!p.spread(), {"layer_groups", "borrowed_parity_bytes", "wait_ms", "precondition_percent"},
              "allocation is in_one_page");
  v.choice("allocation", p.allocation,
           {{"in_one_page", "one flash page"},
            {"fpa",
             "four pages in different layers; the weakest borrows parity from the strongest: layer-aware "
             "fullpage allocation"}},
           "place of four mapping units that fill a flash page and are written together");
  v.reals("layer_groups", p.layer_groups, {0, layer_quarters - 1}, "",
          "quarter of the layers, counted from the lowest, for each of the four units with fpa; the third lends parity "
          "to the fourth");
  v.integer("borrowed_parity_bytes", p.borrowed_parity_bytes, {1, 65536}, "bytes",
            "parity of a codeword of the fourth unit that is, with fpa, in the spare bytes of a codeword of the third");
  v.real("wait_ms", p.wait_ms, {0, 1e6}, "ms",
         "with fpa, wait of such units for others to fill the pages that they share, on all planes of a die if "
         "controller.scheduler.multi_plane is on; afterwards, fullpages that fill none are written into one page each");
  v.integer("precondition_percent", p.precondition_percent, {0, 100}, "percent",
            "share of a preconditioned device's data that were written in fullpages, evenly over the addresses");
}

std::vector<std::int32_t> parity_of_codes(const FullpageParameters& p) {
  if (!p.spread()) return {};
  const auto borrowed = static_cast<std::int32_t>(p.borrowed_parity_bytes);
  std::vector<std::int32_t> more(2);
  more[less_parity_code - 1] = -borrowed;
  more[more_parity_code - 1] = borrowed;
  return more;
}

std::optional<FullpagePattern> fullpage_pattern(const FullpageParameters& p, const Geometry& flash) {
  if (!p.spread()) return std::nullopt;
  FullpagePattern::LayerGroups groups{};
  std::array<bool, layer_quarters> taken{};
  bool each = p.layer_groups.size() == layer_quarters;
  for (std::size_t k = 0; each && k < layer_quarters; ++k) {
    groups[k] = static_cast<std::uint8_t>(p.layer_groups[k]);
    each = groups[k] == p.layer_groups[k] && !std::exchange(taken[groups[k]], true);
  }
  if (!each) {
    throw ConfigError({}, "controller.fullpages.layer_groups",
                      "must name each quarter of the layers once, such as [0, 2, 1, 3]");
  }
  return FullpagePattern(groups, flash.pages_per_block);
}

}  // namespace nandscape::controller

// SPDX-License-Identifier: Apache-2.0
#include "controller/content/segment_table.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <stdexcept>
#include <utility>

namespace nandscape::controller {

namespace {

double weak_share(PairedPage page, const StateCounts& states) {
  return static_cast<double>(weak_cells(page, states)) / states.total();
}

}  // namespace

SegmentTable::SegmentTable(std::vector<Code> codes, const StateErrorRates& errors, std::uint32_t cells,
                           CoveredSegments covered)
    : codes_(std::move(codes)), errors_(errors), cells_(cells), covered_(covered) {
  if (codes_.empty() || codes_.front().segments == 0) {
    throw std::invalid_argument("a segment table needs at least one code, of one segment or more");
  }
  for (std::uint32_t c = 1; c < codes_.size(); ++c) {
    if (codes_[c].segments <= codes_[c - 1].segments || codes_[c].segments % codes_[c - 1].segments != 0) {
      throw std::invalid_argument("in a segment table each number of segments must be a multiple of the one before");
    }
    // The limit is the lowest share of weak cells with which the code may not be used. It is a multiple of 1 / cells_.
    const auto limit = [&](PairedPage page) {
      return static_cast<double>(std::max<std::int64_t>(most_weak_cells(page, c) + 1, 0)) / cells_;
    };
    limits_.lsb.push_back(limit(PairedPage::lsb));
    limits_.msb.push_back(limit(PairedPage::msb));
  }
}

SegmentTable::SegmentTable(SegmentLimits limits, std::uint32_t codes, CoveredSegments covered)
    : codes_(codes), covered_(covered), limits_(std::move(limits)) {
  for (std::uint32_t code = 0; code < codes; ++code) codes_[code].segments = 1u << code;
}

std::int64_t SegmentTable::most_weak_cells(PairedPage page, std::uint32_t code) const {
  return static_cast<std::int64_t>(std::floor(most_weak_share(page, errors_, codes_[code].correctable_ber) * cells_));
}

// Returns the last code that covers all segments of the page. covers(code, first, parts) must return whether `code`
// covers the segment that consists of the `parts` counted segments that begin with number `first`.
template <class Covers>
std::uint32_t SegmentTable::last_that(std::size_t segments, Covers covers) const {
  if (segments == 0) throw std::invalid_argument("a page has at least one segment");
  const auto covers_page = [&](std::uint32_t code) {
    const std::uint32_t own = codes_[code].segments;
    if (segments % own != 0) return false;
    const std::size_t parts = covered_ == CoveredSegments::own ? segments / own : 1;
    for (std::size_t first = 0; first < segments; first += parts) {
      if (!covers(code, first, parts)) return false;
    }
    return true;
  };
  auto code = static_cast<std::uint32_t>(codes_.size() - 1);
  while (code > 0 && !covers_page(code)) --code;
  return code;
}

std::uint32_t SegmentTable::relaxed(PairedPage page, std::span<const double> weak) const {
  const std::vector<double>& limits = page == PairedPage::lsb ? limits_.lsb : limits_.msb;
  return last_that(weak.size(), [&](std::uint32_t code, std::size_t first, std::size_t parts) {
    if (code > limits.size()) return false;
    const std::span<const double> segment = weak.subspan(first, parts);
    return std::accumulate(segment.begin(), segment.end(), 0.0) / static_cast<double>(parts) < limits[code - 1];
  });
}

std::uint32_t SegmentTable::relaxed(PairedPage page, std::span<const StateCounts> segments) const {
  std::vector<double> weak;
  for (const StateCounts& states : segments) weak.push_back(weak_share(page, states));
  return relaxed(page, weak);
}

std::uint32_t SegmentTable::optimal(PairedPage page, std::span<const StateCounts> segments) const {
  return last_that(segments.size(), [&](std::uint32_t code, std::size_t first, std::size_t parts) {
    StateCounts states;
    for (const StateCounts& part : segments.subspan(first, parts)) states += part;
    return cdber(page, errors_, states.shares()) <= codes_[code].correctable_ber;
  });
}

StateMapping SegmentTable::fastest_mapping(std::span<const StateCounts> segments) const {
  std::vector<StateCounts> mapped(segments.size());
  return cheapest_mapping([&](const StateMapping& mapping) {
    std::ranges::transform(segments, mapped.begin(), mapping);
    double us = 0;
    for (const PairedPage page : paired_pages) us += codes_[relaxed(page, mapped)].decode_us;
    return us;
  });
}

}  // namespace nandscape::controller

// SPDX-License-Identifier: Apache-2.0
#include "controller/content/segment_table.h"

#include <cmath>
#include <stdexcept>
#include <utility>

namespace nandscape::controller {

namespace {

StateCounts sum(std::span<const StateCounts> parts) {
  StateCounts all;
  for (const StateCounts& part : parts) all += part;
  return all;
}

}  // namespace

SegmentTable::SegmentTable(std::vector<Code> codes, const StateErrorRates& errors, std::uint32_t cells,
                           CoveredSegments covered)
    : codes_(std::move(codes)), errors_(errors), cells_(cells), covered_(covered) {
  if (codes_.empty() || codes_.front().segments == 0) {
    throw std::invalid_argument("a segment table needs at least one code, of one segment or more");
  }
  for (std::size_t c = 1; c < codes_.size(); ++c) {
    if (codes_[c].segments <= codes_[c - 1].segments || codes_[c].segments % codes_[c - 1].segments != 0) {
      throw std::invalid_argument("in a segment table each number of segments must be a multiple of the one before");
    }
  }
  for (const PairedPage page : paired_pages) {
    for (const Code& code : codes_) {
      const double share = most_weak_share(page, errors_, code.correctable_ber);
      most_[index(page)].push_back(static_cast<std::int64_t>(std::floor(share * cells_)));
    }
  }
}

template <class Covers>
std::uint32_t SegmentTable::last_that(std::span<const StateCounts> segments, Covers covers) const {
  if (segments.empty()) throw std::invalid_argument("a page has at least one segment");
  const auto covers_page = [&](const Code& code) {
    if (segments.size() % code.segments != 0) return false;
    const std::size_t parts = covered_ == CoveredSegments::own ? segments.size() / code.segments : 1;
    for (std::size_t first = 0; first < segments.size(); first += parts) {
      if (!covers(code, sum(segments.subspan(first, parts)), segments.size() / parts)) return false;
    }
    return true;
  };
  auto code = static_cast<std::uint32_t>(codes_.size() - 1);
  while (code > 0 && !covers_page(codes_[code])) --code;
  return code;
}

std::uint32_t SegmentTable::relaxed(PairedPage page, std::span<const StateCounts> segments) const {
  const std::vector<std::int64_t>& most = most_[index(page)];
  return last_that(segments, [&](const Code& code, const StateCounts& states, std::size_t of_page) {
    const auto weak = static_cast<std::int64_t>(weak_cells(page, states) * of_page);
    return weak <= most[static_cast<std::size_t>(&code - codes_.data())];
  });
}

std::uint32_t SegmentTable::optimal(PairedPage page, std::span<const StateCounts> segments) const {
  return last_that(segments, [&](const Code& code, const StateCounts& states, std::size_t) {
    return cdber(page, errors_, states.shares()) <= code.correctable_ber;
  });
}

}  // namespace nandscape::controller

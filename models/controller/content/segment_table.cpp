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

// Whether each of so many segments passes; `finer` are the parts that they are made of.
template <class Passes>
bool all_segments(std::span<const StateCounts> finer, std::uint32_t segments, Passes passes) {
  const std::size_t parts = finer.size() / segments;
  for (std::size_t first = 0; first < finer.size(); first += parts) {
    if (!passes(sum(finer.subspan(first, parts)))) return false;
  }
  return true;
}

}  // namespace

SegmentTable::SegmentTable(std::vector<Code> codes, const StateErrorRates& errors, std::uint32_t cells)
    : codes_(std::move(codes)), errors_(errors), cells_(cells) {
  if (codes_.empty() || codes_.front().segments != 1) {
    throw std::invalid_argument("a table of segments begins with the code of whole pages");
  }
  for (std::size_t c = 1; c < codes_.size(); ++c) {
    if (codes_[c].segments <= codes_[c - 1].segments || codes_[c].segments % codes_[c - 1].segments != 0) {
      throw std::invalid_argument("in a table of segments each number is a multiple of the one before");
    }
  }
  for (const PairedPage page : paired_pages) {
    for (const Code& code : codes_) {
      const double share = most_weak_share(page, errors_, code.correctable_ber);
      most_[index(page)].push_back(static_cast<std::int64_t>(std::floor(share * cells_ / code.segments)));
    }
  }
}

void SegmentTable::check(std::span<const StateCounts> segments) const {
  if (segments.empty() || segments.size() % finest() != 0) {
    throw std::invalid_argument("segments are looked up by their finest number, or by a multiple of it");
  }
}

std::uint32_t SegmentTable::relaxed(PairedPage page, std::span<const StateCounts> segments) const {
  check(segments);
  const std::vector<std::int64_t>& most = most_[index(page)];
  auto code = static_cast<std::uint32_t>(codes_.size() - 1);
  const auto covered = [&](const StateCounts& states) { return std::int64_t{weak_cells(page, states)} <= most[code]; };
  while (code > 0 && !all_segments(segments, codes_[code].segments, covered)) --code;
  return code;
}

std::uint32_t SegmentTable::optimal(PairedPage page, std::span<const StateCounts> segments) const {
  check(segments);
  auto code = static_cast<std::uint32_t>(codes_.size() - 1);
  const auto covered = [&](const StateCounts& states) {
    return cdber(page, errors_, states.shares()) <= codes_[code].correctable_ber;
  };
  while (code > 0 && !all_segments(segments, codes_[code].segments, covered)) --code;
  return code;
}

}  // namespace nandscape::controller

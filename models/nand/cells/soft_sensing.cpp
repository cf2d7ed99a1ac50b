// SPDX-License-Identifier: Apache-2.0
#include "nand/cells/soft_sensing.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace nandscape {

namespace {

double llr_of(double if_zero, double if_one) {
  if (if_zero == if_one) return 0;  // both may be zero
  return std::clamp(std::log(if_one / if_zero), -most_llr, most_llr);
}

// p log2((p + q) / p), what is not known about the bit when a region is found that p of its cells lie in.
double doubt(double p, double q) { return p == 0 ? 0 : p * std::log2(1 + q / p); }

}  // namespace

std::vector<double> soft_offsets(std::uint32_t levels_per_vref, double spacing_mv) {
  std::vector<double> offsets;
  for (std::uint32_t k = 0; k < levels_per_vref; ++k) offsets.push_back((k - 0.5 * (levels_per_vref - 1)) * spacing_mv);
  return offsets;
}

std::uint32_t soft_senses(const Coding& coding, std::uint32_t page_type, std::span<const double> offsets_mv) {
  return coding.senses(page_type) * static_cast<std::uint32_t>(offsets_mv.size());
}

std::vector<double> soft_levels(const Coding& coding, std::uint32_t page_type, std::span<const double> levels,
                                std::span<const double> offsets_mv) {
  std::vector<double> sensed;
  for (const std::uint8_t level : coding.levels(page_type)) {
    for (const double offset : offsets_mv) sensed.push_back(levels[level - 1] + offset);
  }
  std::sort(sensed.begin(), sensed.end());
  return sensed;
}

std::vector<SoftRegion> soft_regions(const WordlineReads& reads, std::uint32_t page_type,
                                     std::span<const double> levels, std::span<const double> offsets_mv) {
  constexpr double infinity = std::numeric_limits<double>::infinity();
  const Coding& coding = reads.coding();
  std::vector<double> ends = soft_levels(coding, page_type, levels, offsets_mv);
  ends.push_back(infinity);
  const double states_of_a_bit = 0.5 * coding.states();
  std::vector<SoftRegion> regions;
  double from = -infinity;
  for (const double to : ends) {
    SoftRegion region{from, to, 0, 0, 0};
    for (std::uint32_t s = 0; s < coding.states(); ++s) {
      // Differences of far tails may round to below zero.
      const double share = std::max(reads.states()[s].between(from, to), 0.0) / states_of_a_bit;
      (coding.bit(s, page_type) ? region.probability_if_one : region.probability_if_zero) += share;
    }
    region.llr = llr_of(region.probability_if_zero, region.probability_if_one);
    regions.push_back(region);
    from = to;
  }
  return regions;
}

double mutual_information(std::span<const SoftRegion> regions) {
  double doubts = 0;
  for (const SoftRegion& r : regions) {
    doubts += doubt(r.probability_if_zero, r.probability_if_one) + doubt(r.probability_if_one, r.probability_if_zero);
  }
  return 1 - 0.5 * doubts;
}

}  // namespace nandscape

// SPDX-License-Identifier: Apache-2.0
#include "nand/cells/soft_sensing.h"

#include <algorithm>
#include <boost/math/tools/minima.hpp>
#include <cmath>
#include <limits>
#include <utility>

namespace nandscape::nand {

namespace {

double llr_of(double if_zero, double if_one) {
  if (if_zero == if_one) return 0;  // both probabilities may be zero
  return std::clamp(std::log(if_one / if_zero), -most_llr, most_llr);
}

// Returns p log2((p + q) / p), the uncertainty about a bit that remains after its cell was found to be in a region. The
// two arguments are the probabilities that a cell is in this region: p if its bit has the value considered, and q if
// its bit has the opposite value.
double doubt(double p, double q) { return p == 0 ? 0 : p * std::log2(1 + q / p); }

// Returns the uncertainty about a bit, in bits, that remains after the region of its cell is known.
double doubts(std::span<const SoftRegion> regions) {
  double sum = 0;
  for (const SoftRegion& r : regions) {
    sum += doubt(r.probability_if_zero, r.probability_if_one) + doubt(r.probability_if_one, r.probability_if_zero);
  }
  return 0.5 * sum;
}

}  // namespace

std::vector<double> soft_offsets(std::uint32_t levels_per_vref, double spacing_mv) {
  std::vector<double> offsets;
  for (std::uint32_t k = 0; k < levels_per_vref; ++k) offsets.push_back((k - 0.5 * (levels_per_vref - 1)) * spacing_mv);
  return offsets;
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
      // In a far tail, rounding errors can make the difference of two probabilities negative.
      const double share = std::max(reads.states()[s].between(from, to), 0.0) / states_of_a_bit;
      (coding.bit(s, page_type) ? region.probability_if_one : region.probability_if_zero) += share;
    }
    region.llr = llr_of(region.probability_if_zero, region.probability_if_one);
    regions.push_back(region);
    from = to;
  }
  return regions;
}

double mutual_information(std::span<const SoftRegion> regions) { return 1 - doubts(regions); }

double most_telling_spacing(const WordlineReads& reads, std::uint32_t page_type, std::uint32_t levels_per_vref) {
  const std::vector<double>& levels = reads.optimum_levels();
  double reach = std::numeric_limits<double>::infinity();
  for (const std::uint8_t level : reads.coding().levels(page_type)) {
    reach = std::min(reach, 0.5 * (reads.states()[level].centre() - reads.states()[level - 1].centre()));
  }
  const auto left_open = [&](double spacing_mv) {
    return doubts(soft_regions(reads, page_type, levels, soft_offsets(levels_per_vref, spacing_mv)));
  };
  constexpr int precision_bits = 10;  // enough, because a smooth function hardly changes near its minimum
  return boost::math::tools::brent_find_minima(left_open, 0.0, 2 * reach / (levels_per_vref - 1), precision_bits).first;
}

WrongSenses::WrongSenses(const WordlineReads& reads, std::uint32_t page_type, std::span<const double> levels,
                         std::span<const double> offsets_mv, const SenseMisreads& misreads)
    : senses_(static_cast<std::uint32_t>(offsets_mv.size())) {
  const Coding& coding = reads.coding();
  const auto read = [&](double v) {
    bool bit = coding.bit(0, page_type);
    for (const std::uint8_t level : coding.levels(page_type)) bit ^= v >= levels[level - 1];
    return bit;
  };
  // Returns the probability that a sense inverts the page's bit, which happens if an odd number of its levels are
  // misread.
  const auto misread_by_sensing = [&](double v) {
    double even_less_odd = 1;
    for (const std::uint8_t level : coding.levels(page_type)) {
      even_less_odd *= 1 - 2 * (v >= levels[level - 1] ? misreads.off_as_on : misreads.on_as_off);
    }
    return 0.5 * (1 - even_less_odd);
  };
  const bool hard_sense_is_made = std::ranges::find(offsets_mv, 0.0) != offsets_mv.end();
  std::vector<double> ends = soft_levels(coding, page_type, levels, offsets_mv);
  if (!hard_sense_is_made) {
    for (const std::uint8_t level : coding.levels(page_type)) ends.push_back(levels[level - 1]);
    std::ranges::sort(ends);
  }
  ends.push_back(std::numeric_limits<double>::infinity());

  double from = -std::numeric_limits<double>::infinity();
  for (const double to : ends) {
    const double inside = std::isinf(from) ? to - 1 : std::isinf(to) ? from + 1 : 0.5 * (from + to);
    for (std::uint32_t s = 0; s < coding.states() && from < to; ++s) {
      const bool bit = coding.bit(s, page_type);
      const double share = std::max(reads.states()[s].between(from, to), 0.0) / coding.states();
      // Adds the senses one after the other. A misread caused by the sense itself inverts the result of the sense.
      std::array<Counts, 2> found{};
      found[read(inside) != bit][0] = share;
      const auto sense = [&](double offset, bool is_hard, bool is_counted) {
        const bool wrong = read(inside - offset) != bit;
        const double by_sensing = misread_by_sensing(inside - offset);
        const std::array<Counts, 2> before = std::exchange(found, {});
        for (std::uint32_t misread = 0; misread < 2; ++misread) {
          for (std::uint32_t count = 0; count <= senses_; ++count) {
            const double probability = before[misread][count];
            if (probability == 0) continue;
            found[misread][count + (is_counted && wrong)] += probability * (1 - by_sensing);
            found[misread ^ is_hard][count + (is_counted && !wrong)] += probability * by_sensing;
          }
        }
      };
      for (const double offset : offsets_mv) sense(offset, offset == 0, true);
      if (!hard_sense_is_made) sense(0, true, false);
      for (std::uint32_t misread = 0; misread < 2; ++misread) {
        for (std::uint32_t count = 0; count <= senses_; ++count) {
          joint_[misread][count] += found[misread][count];
          sums_[misread] += found[misread][count];
        }
      }
    }
    from = to;
  }
}

std::uint32_t WrongSenses::draw(bool misread, double u) const {
  double left = u * sums_[misread];
  std::uint32_t wrong = 0;
  while (wrong < senses_ && (left -= joint_[misread][wrong]) >= 0) ++wrong;
  return wrong;
}

}  // namespace nandscape::nand

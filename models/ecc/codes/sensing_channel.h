// SPDX-License-Identifier: Apache-2.0
// Models the soft read of a bit as a noisy channel. The voltage of the bit's cell lies at a nominal distance of 1 from
// the read level, with additional Gaussian noise. A cell below the read level is read as 1, and a cell above it as 0. A
// soft read senses the cell at several levels around the read level. The levels divide the voltage axis into regions,
// which are numbered from the lowest voltage.
//
// The hard decision is the result of a sense at the read level itself. It is wrong with the probability RBER = Q(1 /
// sigma). If the number of levels is odd, one of the levels is the read level. If the number is even, the read level is
// not sensed, as in soft_offsets() in nand/cells/soft_sensing.h. Then there is no hard decision for cells in the region
// around the read level, and decoders receive an LLR of 0. A cell in that region counts as a hard error if it lies on
// the wrong side of the region's middle.
//
// The levels are evenly spaced. The spacing is the one that maximises the mutual information.
#pragma once

#include <array>
#include <cstdint>
#include <span>

#include "protocol/sensing_levels.h"

namespace nandscape::ecc {

inline constexpr double least_sensing_rber = 1e-15;  // the RBER must be at least this, and less than 0.5

// The LLR of the most certain region, in the steps of decode_soft(). It is also the LLR of a bit that is sensed only
// once. The LLRs of the other regions are scaled in proportion.
inline constexpr std::int8_t strongest_llr = 16;

class SensingChannel {
 public:
  struct Region {
    double probability_if_zero = 0;
    double probability_if_one = 0;
    // For a bit that is 0: the probability that its cell lies both in this region and on the wrong (or the right) side
    // of the read level. The sum of the two is probability_if_zero. For a bit that is 1, use the mirrored region.
    double probability_if_wrong = 0;
    double probability_if_right = 0;
    double log_likelihood_ratio = 0;  // natural logarithm: ln(P(region | 1) / P(region | 0))
    std::int8_t llr = 0;              // the same ratio, quantised for decode_soft()
  };

  // Uses the most informative spacing. Throws std::invalid_argument if `levels` or `rber` is out of range.
  SensingChannel(double rber, std::uint32_t levels);
  // Uses the given spacing of the levels.
  SensingChannel(double rber, std::uint32_t levels, double spacing);

  double rber() const { return rber_; }
  double sigma() const { return sigma_; }
  double spacing() const { return spacing_; }  // in units of the nominal distance; 0 for a single level
  std::uint32_t levels() const { return levels_; }
  std::span<const Region> regions() const { return {regions_.data(), levels_ + 1}; }

  // Draws a random region for the cell of `bit`, given whether the cell is a hard error. `u` is a uniform random
  // number, 0 <= u < 1.
  std::uint32_t sample(bool bit, bool hard_error, double u) const;

  // Returns the mutual information, in bits, between the region and a bit that is 0 or 1 with equal probability.
  double mutual_information() const;

 private:
  double rber_;
  double sigma_ = 0;
  std::uint32_t levels_;
  double spacing_;
  std::array<Region, most_sensing_levels + 1> regions_ = {};
};

}  // namespace nandscape::ecc

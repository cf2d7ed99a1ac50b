// SPDX-License-Identifier: Apache-2.0
// Models the soft read of a bit as a channel. The bit's cell lies on one side of a read level, at a distance with
// normal noise, and is sensed at several levels around that level. The levels divide the voltages into regions,
// numbered from the lowest. Below the read level a bit reads as 1, above it as 0.
//
// The hard decision is the result of a sense at the read level itself, which is wrong with probability RBER = Q(1 /
// sigma), where the mean of either side is at distance 1 from the read level. Odd numbers of levels include that sense.
// Even numbers leave it out, as soft_offsets() in nand/cells/soft_sensing.h does, so no sense gives the hard decision
// in the region around the read level. Decoders get an LLR of 0 there. A cell in that region is a hard error if it lies
// on the wrong side of the region's middle.
//
// Levels are evenly spaced, at the most informative spacing.
#pragma once

#include <array>
#include <cstdint>
#include <span>

#include "protocol/sensing_levels.h"

namespace nandscape::ecc {

inline constexpr double least_sensing_rber = 1e-15;  // below 0.5

// The LLR of the most certain region, and of a bit sensed once, in the steps of decode_soft(). The LLRs of the other
// regions are scaled in proportion.
inline constexpr std::int8_t strongest_llr = 16;

class SensingChannel {
 public:
  struct Region {
    double probability_if_zero = 0;
    double probability_if_one = 0;
    // For a bit that is 0: the probability that its cell lies in this region, and on the wrong or on the right side of
    // the read level. The sum is probability_if_zero. For a bit that is 1, take the mirrored region.
    double probability_if_wrong = 0;
    double probability_if_right = 0;
    double log_likelihood_ratio = 0;  // natural, ln P(region | 1) / P(region | 0)
    std::int8_t llr = 0;              // quantised for decode_soft()
  };

  // Throws std::invalid_argument if levels or RBER are out of range.
  SensingChannel(double rber, std::uint32_t levels);
  // Uses the given spacing.
  SensingChannel(double rber, std::uint32_t levels, double spacing);

  double rber() const { return rber_; }
  double sigma() const { return sigma_; }
  double spacing() const { return spacing_; }  // spacing of the levels; 0 for a single level
  std::uint32_t levels() const { return levels_; }
  std::span<const Region> regions() const { return {regions_.data(), levels_ + 1}; }

  // Draws the region of a bit with the uniform deviate 0 <= u < 1.
  std::uint32_t sample(bool bit, bool hard_error, double u) const;

  // Mutual information, in bits, between the region and a bit that is equally often 0 and 1.
  double mutual_information() const;

 private:
  double rber_;
  double sigma_ = 0;
  std::uint32_t levels_;
  double spacing_;
  std::array<Region, most_sensing_levels + 1> regions_ = {};
};

}  // namespace nandscape::ecc

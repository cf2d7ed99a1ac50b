// SPDX-License-Identifier: Apache-2.0
// A bit as soft reads see it: its cell lies on one of two sides of a read level, at a distance with normal noise, and
// is sensed at several levels around that one. They part the voltages into regions, numbered from the lowest; a bit is
// 1 below the read level when it was read without error, and 0 above it.
//
// The hard decision is that of a sense at the read level itself, which is wrong with probability RBER = Q(1 / sigma),
// 1 being the distance of either side's mean. Odd numbers of levels have a sense there. Even numbers leave it out, like
// soft_offsets() in nand/cells/soft_sensing.h, and no sense tells the hard decision in the region around it: decoders
// get an LLR of 0 there, and a hard error lies in that region on the wrong side of its middle.
//
// Levels are evenly spaced, so as to tell the most about the bit.
#pragma once

#include <array>
#include <cstdint>
#include <span>

#include "protocol/sensing_levels.h"

namespace nandscape::ecc {

inline constexpr double least_sensing_rber = 1e-15;  // below 0.5

// The most certain region's, in the steps of decode_soft(), and that of a bit sensed once; the others' are in
// proportion to it.
inline constexpr std::int8_t strongest_llr = 16;

class SensingChannel {
 public:
  struct Region {
    double probability_if_zero = 0;
    double probability_if_one = 0;
    // If the bit is 0: with the cell on the wrong side of the read level, and on the right one. Their sum is
    // probability_if_zero. For a bit that is 1, those of the mirrored region.
    double probability_if_wrong = 0;
    double probability_if_right = 0;
    double log_likelihood_ratio = 0;  // natural, ln P(region | 1) / P(region | 0)
    std::int8_t llr = 0;              // quantised for decode_soft()
  };

  // Throws std::invalid_argument for levels and RBERs out of range.
  SensingChannel(double rber, std::uint32_t levels);
  // With a spacing of choice.
  SensingChannel(double rber, std::uint32_t levels, double spacing);

  double rber() const { return rber_; }
  double sigma() const { return sigma_; }
  double spacing() const { return spacing_; }  // of the levels; 0 for a single one
  std::uint32_t levels() const { return levels_; }
  std::span<const Region> regions() const { return {regions_.data(), levels_ + 1}; }

  // The region of a bit, from the uniform deviate 0 <= u < 1.
  std::uint32_t sample(bool bit, bool hard_error, double u) const;

  // Between the region and a bit that is as often 0 as 1, in bits.
  double mutual_information() const;

 private:
  double rber_;
  double sigma_ = 0;
  std::uint32_t levels_;
  double spacing_;
  std::array<Region, most_sensing_levels + 1> regions_ = {};
};

}  // namespace nandscape::ecc

// SPDX-License-Identifier: Apache-2.0
// Soft reads. A page is sensed at several levels around each of its read levels. A decoder then knows not only on which
// side of a read level a cell is, but also how far it is from the read level.
//
// If a soft read senses m read levels at n offsets each, there are n m sensed levels, which divide the voltage axis
// into n m + 1 regions. The regions are numbered from the lowest. What a region reveals about the bit of a cell in the
// region is given by the log-likelihood ratio
//
//   LLR = ln P(region | bit is 1) / P(region | bit is 0)
//
// which is positive if 1 is more likely. It is computed from the distributions of the states, which are all equally
// likely. In half of the states the page's bit is 1, so the LLR is also the logarithm of the odds of the bit. Regions
// around different read levels may yield the same sequence of bits. They still count as different regions, because
// firmware that senses level by level can distinguish them. Misreads that are caused by the senses themselves are not
// included, because they are rare compared with misreads caused by the voltage, unless the sense times are shortened.
//
// A chip does not determine the region of a cell. It senses the whole page at one offset after the other and counts for
// each cell how often it reads a 1. WrongSenses computes the distribution of these counts.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "nand/cells/wordline_reads.h"
#include "nand/coding/coding.h"
#include "protocol/sensing_levels.h"

namespace nandscape::nand {

// The limit of the LLRs is +-most_llr. It applies to regions where only cells with one bit value occur, and to tails
// that are further out than the data to which the distributions were fitted. Regions without any cells have an LLR of
// 0.
inline constexpr double most_llr = 25;

struct SoftRegion {
  double from_mv;  // -infinity for the first one
  double to_mv;    // infinity for the last one
  double probability_if_zero;
  double probability_if_one;
  double llr;
};

// Returns the offsets of `levels_per_vref` evenly spaced levels that are centred at the read level. For 3 levels they
// are -spacing, 0 and spacing. If the number of levels is even, the read level itself is not one of them.
std::vector<double> soft_offsets(std::uint32_t levels_per_vref, double spacing_mv);

// Returns the levels at which a soft read senses, in ascending order. `levels` contains one read level between each
// pair of neighbouring states of the coding. If an offset exceeds half the distance between two read levels, the levels
// around the two are interleaved.
std::vector<double> soft_levels(const Coding& coding, std::uint32_t page_type, std::span<const double> levels,
                                std::span<const double> offsets_mv);

std::vector<SoftRegion> soft_regions(const WordlineReads& reads, std::uint32_t page_type,
                                     std::span<const double> levels, std::span<const double> offsets_mv);

// Returns the mutual information, in bits, between the region of a cell and its bit, which is 0 or 1 with equal
// probability. A code cannot carry more information per bit than this.
double mutual_information(std::span<const SoftRegion> regions);

// Returns the spacing of `levels_per_vref` >= 2 levels around the wordline's optimum levels that maximises the
// information about the bits of the page. At this spacing, codes fail least often [Wang 2014, "Enhanced Precision
// Through Multiple Reads for LDPC Decoding in Flash Memories"]. No offset exceeds half the distance between the centres
// of the two states next to a level.
double most_telling_spacing(const WordlineReads& reads, std::uint32_t page_type, std::uint32_t levels_per_vref);

// The distribution of the number of wrong senses of a cell in a soft read. Each sense reads the page with all of its
// levels shifted by the same offset. The hard decision is the result of a sense without an offset. If one of the
// offsets is 0, the hard decision is the result of that sense. A sense can also be wrong by itself, as given by
// `misreads`.
class WrongSenses {
 public:
  // `offsets_mv` contains at most most_sensing_levels offsets.
  WrongSenses(const WordlineReads& reads, std::uint32_t page_type, std::span<const double> levels,
              std::span<const double> offsets_mv, const SenseMisreads& misreads);

  // Returns the joint probability that the hard decision is wrong (if `misread` is true) or right, and that exactly
  // `wrong` senses are wrong.
  double probability(bool misread, std::uint32_t wrong) const { return joint_[misread][wrong]; }
  // Draws the number of wrong senses at random, given whether the hard decision is wrong. `u` is a uniform random
  // number, 0 <= u < 1.
  std::uint32_t draw(bool misread, double u) const;

 private:
  using Counts = std::array<double, most_sensing_levels + 1>;  // indexed by the number of wrong senses

  std::uint32_t senses_;
  std::array<Counts, 2> joint_{};
  std::array<double, 2> sums_{};
};

}  // namespace nandscape::nand

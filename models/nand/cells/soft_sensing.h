// SPDX-License-Identifier: Apache-2.0
// Soft reads: a page is sensed at several levels around each of its read levels, and a decoder learns not only on which
// side of a read level each cell lies but also how far from it.
//
// With n offsets from m read levels the n m sensed levels part the voltages into n m + 1 regions, numbered from the
// lowest. What a region tells about the bit of a cell found in it is the log-likelihood ratio
//
//   LLR = ln P(region | bit is 1) / P(region | bit is 0)
//
// positive where the bit is rather 1, from the distributions of the states, all of them equally likely. Half of the
// states of any page hold a 1, so this is the logarithm of the odds of the bit as well. Regions around different read
// levels that yield the same bits count as different ones: firmware that senses level by level can tell them apart.
// Misreads of the senses themselves are left out, since they are rare beside those by voltage unless times are cut.
//
// A chip cannot number the regions. It senses the whole page at one offset after the other and counts, for each cell,
// how often it finds a 1; WrongSenses says what comes of that.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "nand/cells/wordline_reads.h"
#include "nand/coding/coding.h"
#include "protocol/sensing_levels.h"

namespace nandscape::nand {

// LLRs end at +-most_llr: where the cells of one bit alone are found, and where the tails of the distributions are
// further out than anything that they have been fitted to. Regions in which no cell is found have an LLR of 0.
inline constexpr double most_llr = 25;

struct SoftRegion {
  double from_mv;  // -infinity for the first one
  double to_mv;    // infinity for the last one
  double probability_if_zero;
  double probability_if_one;
  double llr;
};

// So many levels, evenly spaced with their middle at the read level: for 3 of them -spacing, 0, spacing. Nonzero even
// numbers leave the read level itself out.
std::vector<double> soft_offsets(std::uint32_t levels_per_vref, double spacing_mv);

// The levels at which a soft read senses, ascending; `levels` are those between all neighbouring states of the coding.
// Where offsets reach beyond the middle between read levels, those of neighbours interleave.
std::vector<double> soft_levels(const Coding& coding, std::uint32_t page_type, std::span<const double> levels,
                                std::span<const double> offsets_mv);

std::vector<SoftRegion> soft_regions(const WordlineReads& reads, std::uint32_t page_type,
                                     std::span<const double> levels, std::span<const double> offsets_mv);

// What the regions tell about the bit of a cell that is as often 0 as 1, in bits: the most that a code can carry.
double mutual_information(std::span<const SoftRegion> regions);

// The spacing of so many levels, at least two, round the wordline's optimum levels that tells most about the bits of
// the page. What tells most is what codes fail least with [Wang 2014, "Enhanced Precision Through Multiple Reads for
// LDPC Decoding in Flash Memories"]. Offsets stay on their side of the middle between the page's levels.
double most_telling_spacing(const WordlineReads& reads, std::uint32_t page_type, std::uint32_t levels_per_vref);

// How many senses of a soft read, each of them of the page with all of its levels at one offset, find the wrong bit of
// a cell, whose hard decision is that of a sense without an offset. Where an offset is 0, the two are the same sense;
// each sense may besides misread by itself.
class WrongSenses {
 public:
  // Up to most_sensing_levels offsets.
  WrongSenses(const WordlineReads& reads, std::uint32_t page_type, std::span<const double> levels,
              std::span<const double> offsets_mv, const SenseMisreads& misreads);

  // That the hard decision is wrong or right, and so many senses are wrong.
  double probability(bool misread, std::uint32_t wrong) const { return joint_[misread][wrong]; }
  // How many are wrong where the hard decision is known, from the uniform deviate 0 <= u < 1.
  std::uint32_t draw(bool misread, double u) const;

 private:
  using Counts = std::array<double, most_sensing_levels + 1>;  // by number of wrong senses

  std::uint32_t senses_;
  std::array<Counts, 2> joint_{};
  std::array<double, 2> sums_{};
};

}  // namespace nandscape::nand

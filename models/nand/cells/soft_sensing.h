// SPDX-License-Identifier: Apache-2.0
// Soft reads: a page is sensed at several levels around each of its read levels. A decoder then knows not only on which
// side of a read level each cell lies but also how far from it the cell lies.
//
// With n offsets from m read levels, the n m sensed levels divide the voltages into n m + 1 regions, numbered from the
// lowest. A region's information about the bit of a cell in it is the log-likelihood ratio
//
//   LLR = ln P(region | bit is 1) / P(region | bit is 0)
//
// which is positive if 1 is more likely. It follows from the distributions of the states, all of them equally likely.
// Half of the states of any page hold a 1, so the LLR is also the logarithm of the odds of the bit. Regions around
// different read levels that yield the same bits count as different: firmware that senses level by level can tell them
// apart. Misreads of the senses themselves are left out, since they are rare compared with misreads by voltage unless
// sense times are cut.
//
// A chip cannot number the regions. It senses the whole page at one offset after the other and counts, for each cell,
// how often it reads a 1; WrongSenses gives the distribution of these counts.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "nand/cells/wordline_reads.h"
#include "nand/coding/coding.h"
#include "protocol/sensing_levels.h"

namespace nandscape::nand {

// LLRs are limited to +-most_llr: in regions where only cells of one bit lie, and in tails further out than any data to
// which the distributions were fitted. Regions in which no cell lies have an LLR of 0.
inline constexpr double most_llr = 25;

struct SoftRegion {
  double from_mv;  // -infinity for the first one
  double to_mv;    // infinity for the last one
  double probability_if_zero;
  double probability_if_one;
  double llr;
};

// Offsets of `levels_per_vref` evenly spaced levels, centred at the read level: for 3 levels -spacing, 0, spacing. An
// even number leaves out the read level itself.
std::vector<double> soft_offsets(std::uint32_t levels_per_vref, double spacing_mv);

// The levels at which a soft read senses, ascending; `levels` are the levels between all neighbouring states of the
// coding. Offsets that reach beyond the middle between read levels interleave with those of the neighbouring level.
std::vector<double> soft_levels(const Coding& coding, std::uint32_t page_type, std::span<const double> levels,
                                std::span<const double> offsets_mv);

std::vector<SoftRegion> soft_regions(const WordlineReads& reads, std::uint32_t page_type,
                                     std::span<const double> levels, std::span<const double> offsets_mv);

// Mutual information, in bits, of the regions and a bit that is equally often 0 and 1: the most information per bit
// that a code can carry.
double mutual_information(std::span<const SoftRegion> regions);

// The spacing of `levels_per_vref` >= 2 levels around the wordline's optimum levels that maximises the information
// about the bits of the page. Codes fail least at that spacing [Wang 2014, "Enhanced Precision Through Multiple Reads
// for LDPC Decoding in Flash Memories"]. No offset exceeds half the distance between the centres of the two states
// beside a level.
double most_telling_spacing(const WordlineReads& reads, std::uint32_t page_type, std::uint32_t levels_per_vref);

// The distribution of the number of wrong senses of a cell in a soft read. Each sense reads the page with all of its
// levels shifted by one offset; the hard decision is a sense without an offset. If an offset is 0, that sense is the
// hard decision. Each sense may also misread by itself.
class WrongSenses {
 public:
  // Takes up to most_sensing_levels offsets.
  WrongSenses(const WordlineReads& reads, std::uint32_t page_type, std::span<const double> levels,
              std::span<const double> offsets_mv, const SenseMisreads& misreads);

  // Joint probability that the hard decision is wrong or right (`misread`) and that `wrong` senses are wrong.
  double probability(bool misread, std::uint32_t wrong) const { return joint_[misread][wrong]; }
  // Draws the number of wrong senses, given the hard decision, from the uniform deviate 0 <= u < 1.
  std::uint32_t draw(bool misread, double u) const;

 private:
  using Counts = std::array<double, most_sensing_levels + 1>;  // by number of wrong senses

  std::uint32_t senses_;
  std::array<Counts, 2> joint_{};
  std::array<double, 2> sums_{};
};

}  // namespace nandscape::nand

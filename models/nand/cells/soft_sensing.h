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
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "nand/cells/wordline_reads.h"

namespace nandscape {

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

// How many times a soft read of the page senses.
std::uint32_t soft_senses(const Coding& coding, std::uint32_t page_type, std::span<const double> offsets_mv);

// The levels at which it senses, ascending; `levels` are those between all neighbouring states of the coding. Where
// offsets reach beyond the middle between read levels, those of neighbours interleave.
std::vector<double> soft_levels(const Coding& coding, std::uint32_t page_type, std::span<const double> levels,
                                std::span<const double> offsets_mv);

std::vector<SoftRegion> soft_regions(const WordlineReads& reads, std::uint32_t page_type,
                                     std::span<const double> levels, std::span<const double> offsets_mv);

// What the regions tell about the bit of a cell that is as often 0 as 1, in bits: the most that a code can carry.
double mutual_information(std::span<const SoftRegion> regions);

}  // namespace nandscape

// SPDX-License-Identifier: Apache-2.0
// The search for a page's best read levels, as firmware makes it on a page whose data it knows or has corrected: it
// reads the page again and again with other offsets of its read levels and counts the errors.
//
// One level after the other is swept over offsets a step apart, and goes to the one with the fewest errors; where
// several have as few, to the middle one. A sweep goes on beyond an end that has the fewest, as long as errors fall.
// Once all levels of the page have been swept, they are swept again with half the step round where they are, down to
// the finest step: while one level lies far off, chance in the many errors that it makes hides what another one does.
#pragma once

#include <cstdint>
#include <vector>

#include "nand/cell_array.h"

namespace nandscape {

struct VrefSearchSteps {
  std::int16_t coarse_mv = 80;  // at first, four of them either way; of the halved ones two
  std::int16_t fine_mv = 5;     // at last
  std::int16_t most_mv = 2000;  // the largest offset that the die takes, up or down
};

struct VrefSearchResult {
  std::vector<std::int16_t> offsets_mv;  // for SenseOrder::vref_offsets_mv
  std::uint32_t errors_before = 0;
  std::uint32_t errors_after = 0;
  std::uint32_t reads = 0;
};

// Searches from the offsets that the order comes with, and returns to them if what it finds reads no better. Errors are
// those of the part of the page that the order names.
VrefSearchResult search_vref(CellArray& cells, const SenseOrder& order, const VrefSearchSteps& steps, Tick now);

}  // namespace nandscape

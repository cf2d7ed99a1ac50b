// SPDX-License-Identifier: Apache-2.0
// The read-timing parameter table (RPT) of adaptive read-retry (Park et al., ASPLOS 2021, section 6.2). It gives the
// allowed reduction of the precharge in retry steps, depending on the P/E cycles and the retention age of the block.
// The reductions are profiled for certain cycle counts and ages. A block whose condition lies between profiled ones is
// treated like a block with the next higher cycle count and age, which has more errors.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "controller/mapping/block_age.h"

namespace nandscape::controller {

class ReadTimingTable {
 public:
  // One profiled condition.
  struct Entry {
    double pe_cycles = 0;
    double retention_months = 0;           // at 30 C
    std::uint8_t precharge_reduction = 0;  // in 255ths of tPRE, the unit of feature C0h, rounded down
  };

  // The entries may be in any order. Throws std::invalid_argument unless there is exactly one entry for each
  // combination of the P/E-cycle counts and ages that occur.
  explicit ReadTimingTable(std::vector<Entry> entries);

  // Returns the reduction for a block, in 255ths of tPRE. Beyond the profiled range, returns 0, which leaves tPRE
  // unchanged.
  std::uint8_t precharge_reduction(double pe_cycles, double retention_months) const;

  // The entries, sorted by P/E-cycle count and then by age, both ascending.
  std::span<const Entry> entries() const { return entries_; }
  std::span<const double> pe_cycles() const { return pe_cycles_; }
  std::span<const double> retention_months() const { return retention_months_; }

 private:
  std::vector<Entry> entries_;
  std::vector<double> pe_cycles_;
  std::vector<double> retention_months_;
};

// The facts about read-retries that the controller has: the retry table of the flash, and how the best step depends on
// the layer and the age of a page.
struct RetryFacts {
  std::uint32_t steps = 0;                          // in the flash's retry table
  std::uint32_t layers = 1;                         // number of layers that the wordlines of a block occupy
  bool first_layer_by_block = false;                // whether blocks differ in the layer of their first page
  LayerSteps step_of_layers{};                      // set if the drive starts with a memory of earlier reads
  std::shared_ptr<const ReadTimingTable> timing{};  // null unless there is a profiled table
};

}  // namespace nandscape::controller

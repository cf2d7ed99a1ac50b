// SPDX-License-Identifier: Apache-2.0
// The read-timing parameter table (RPT) of adaptive read-retry (Park et al., ASPLOS 2021, section 6.2): how far the
// precharge may be shortened in retry steps, depending on the block's P/E cycles and retention age. It is profiled at
// some cycle counts and ages. A block between two profiled conditions counts as one at the next higher count and age,
// which has more errors.
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
    std::uint8_t precharge_reduction = 0;  // in 255ths of tPRE, as in feature C0h; rounded down
  };

  // Entries may be in any order. Throws std::invalid_argument unless there is exactly one for each P/E-cycle count at
  // each age.
  explicit ReadTimingTable(std::vector<Entry> entries);

  // Returns 0, which leaves tPRE unchanged, beyond the profiled range.
  std::uint8_t precharge_reduction(double pe_cycles, double retention_months) const;

  // Sorted by P/E-cycle count, then by age, both ascending.
  std::span<const Entry> entries() const { return entries_; }
  std::span<const double> pe_cycles() const { return pe_cycles_; }
  std::span<const double> retention_months() const { return retention_months_; }

 private:
  std::vector<Entry> entries_;
  std::vector<double> pe_cycles_;
  std::vector<double> retention_months_;
};

// The controller's knowledge of read-retries: the retry table of the flash, and how its steps depend on the place.
struct RetryFacts {
  std::uint32_t steps = 0;                          // in the flash's retry table
  std::uint32_t layers = 1;                         // layers over which a block's wordlines are spread
  bool first_layer_by_block = false;                // the layer of a block's first page depends on the block
  LayerSteps step_of_layers{};                      // set if reads before the simulation are remembered
  std::shared_ptr<const ReadTimingTable> timing{};  // for read-retry policies that adapt the timing
};

}  // namespace nandscape::controller

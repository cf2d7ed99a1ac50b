// SPDX-License-Identifier: Apache-2.0
// The read-timing parameter table (RPT) of adaptive read-retry: by how much the precharge of the senses may be
// shortened in the steps of a read-retry, by what the block has been through (Park et al., ASPLOS 2021, section 6.2).
// It was profiled at some P/E-cycle counts and some retention ages; a block in between is read as one at the next
// higher of both, which has more errors.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace nandscape::controller {

class ReadTimingTable {
 public:
  // One profiled condition.
  struct Entry {
    double pe_cycles = 0;
    double retention_months = 0;           // at 30 C
    std::uint8_t precharge_reduction = 0;  // in 255ths of tPRE, as feature C0h has it; rounded down
  };

  // In any order. Throws std::invalid_argument unless there is one for each of the P/E-cycle counts at each of the
  // ages.
  explicit ReadTimingTable(std::vector<Entry> entries);

  // 0, which leaves tPRE as it is, beyond all that was profiled.
  std::uint8_t precharge_reduction(double pe_cycles, double retention_months) const;

  // By P/E-cycle count, and by age for each; both are rising.
  std::span<const Entry> entries() const { return entries_; }
  std::span<const double> pe_cycles() const { return pe_cycles_; }
  std::span<const double> retention_months() const { return retention_months_; }

 private:
  std::vector<Entry> entries_;
  std::vector<double> pe_cycles_;
  std::vector<double> retention_months_;
};

}  // namespace nandscape::controller

// SPDX-License-Identifier: Apache-2.0
// What the blocks of a die have been through: erases, reads, and when their pages were programmed. Only blocks that
// something happened to since the start of the simulation take memory; the others share the device's first condition.
#pragma once

#include <cstdint>
#include <vector>

#include "core/ticks.h"
#include "nand/cells/condition.h"
#include "nand/parameters.h"

namespace nandscape {

class BlockHistories {
 public:
  // `months_at_30c` tells how much a month at the condition's storage temperature counts.
  BlockHistories(const ConditionParameters& first, double storage_months_at_30c, double running_months_at_30c,
                 std::uint32_t blocks);

  std::uint32_t cycles(std::uint32_t block) const;
  // Erases of the block since the start.
  std::uint32_t erases(std::uint32_t block) const { return has(block) ? record(block).erases : 0; }

  void read(std::uint32_t block) { ++touch(block).reads; }
  void erase(std::uint32_t block);
  // The wordline's cells are programmed.
  void program(std::uint32_t block, std::uint32_t wordline, Tick now);

  // Reads of the block since it was erased, in months at 30 C the age of the wordline.
  std::uint64_t reads(std::uint32_t block) const { return has(block) ? record(block).reads : first_reads_; }
  double age_months(std::uint32_t block, std::uint32_t wordline, Tick now) const;

 private:
  // Wordlines are programmed in order: those from `wordline` on, up to the next run, at that time.
  struct Run {
    std::uint32_t wordline;
    double months;  // on the clock of clock(); negative before the start
  };
  struct Record {
    std::uint32_t erases = 0;
    std::uint64_t reads = 0;
    std::vector<Run> runs;
  };

  double clock(Tick now) const { return static_cast<double>(now) * months_per_tick_; }
  bool has(std::uint32_t block) const { return !records_.empty() && index_[block] != 0; }
  const Record& record(std::uint32_t block) const { return records_[index_[block] - 1]; }
  Record& touch(std::uint32_t block);

  std::uint32_t first_cycles_;
  std::uint64_t first_reads_;
  double first_age_months_;
  double months_per_tick_;
  std::vector<std::uint32_t> index_;  // by block: one more than its place in records_, or 0
  std::vector<Record> records_;
};

}  // namespace nandscape

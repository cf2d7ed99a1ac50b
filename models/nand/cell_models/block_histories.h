// SPDX-License-Identifier: Apache-2.0
// What the blocks of a die have been through: erases, reads, and when their pages were programmed. Only blocks that
// something happened to since the start of the simulation take memory; the others share the device's first condition.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "core/archive.h"
#include "core/ticks.h"
#include "nand/cells/condition.h"
#include "nand/parameters.h"

namespace nandscape::nand {

// How old what a block held before the simulation began is. Blocks are numbered over the planes of the die.
class InitialAges {
 public:
  virtual ~InitialAges() = default;
  // Whether it is as old as the device's first condition says, and older: else it was written after that time.
  virtual bool from_first_condition(std::uint32_t block) const = 0;
  // How old it is besides, in hours in which the device ran.
  virtual double hours(std::uint32_t block) const = 0;
};

class BlockHistories {
 public:
  // The months at 30 C tell how much a month counts in storage and while the device runs. Without `initial` ages all
  // blocks are as old as the condition says.
  BlockHistories(const ConditionParameters& first, double storage_months_at_30c, double running_months_at_30c,
                 std::uint32_t blocks, std::unique_ptr<InitialAges> initial = nullptr);

  std::uint32_t cycles(std::uint32_t block) const;
  // Erases of the block since the start.
  std::uint32_t erases(std::uint32_t block) const { return has(block) ? record(block).erases : 0; }

  void read(std::uint32_t block) { ++touch(block).reads; }
  void erase(std::uint32_t block);
  // The wordline's cells are programmed.
  void program(std::uint32_t block, std::uint32_t wordline, Tick now);
  // They are verified once more, and have the charge again that they had lost.
  void adjust(std::uint32_t block, std::uint32_t wordline, Tick now);

  // Reads of the block since it was erased; in months at 30 C the time since the wordline was programmed or adjusted.
  std::uint64_t reads(std::uint32_t block) const { return has(block) ? record(block).reads : first_reads_; }
  double age_months(std::uint32_t block, std::uint32_t wordline, Tick now) const;

  // Time that is not simulated passes, in months at 30 C.
  void advance(double months) { skipped_months_ += months; }

  // `now` is the simulation's time; ages are kept when it is read back at another time. Blocks have so many wordlines.
  void persist(Archive& archive, Tick now, std::uint32_t wordlines);

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
    std::vector<Run> adjusted;  // single wordlines, in their order
  };

  void persist(Archive& archive, Record& record, std::uint32_t wordlines, double clock) const;
  double first_age_months(std::uint32_t block) const;
  double clock(Tick now) const { return static_cast<double>(now) * months_per_tick_ + skipped_months_; }
  bool has(std::uint32_t block) const { return !records_.empty() && index_[block] != 0; }
  const Record& record(std::uint32_t block) const { return records_[index_[block] - 1]; }
  Record& touch(std::uint32_t block);

  std::uint32_t first_cycles_;
  std::uint64_t first_reads_;
  double first_age_months_;
  std::unique_ptr<InitialAges> initial_;
  double months_per_tick_;
  double skipped_months_ = 0;         // that were not simulated
  std::vector<std::uint32_t> index_;  // by block: one more than its place in records_, or 0
  std::vector<Record> records_;
};

}  // namespace nandscape::nand

// SPDX-License-Identifier: Apache-2.0
// The histories of a die's blocks: erases, reads, and the times at which wordlines were programmed. Only blocks that
// were read, erased or programmed in the simulation take memory; the others share the device's initial condition.
// Times are those at the configured temperature (core/temperature_source.h).
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "core/archive.h"
#include "core/id_vector.h"
#include "core/ids.h"
#include "core/ticks.h"
#include "nand/cells/condition.h"
#include "nand/parameters.h"

namespace nandscape::nand {

// The ages of data that blocks held before the simulation began. Blocks are numbered over the planes of the die.
class InitialAges {
 public:
  virtual ~InitialAges() = default;
  // Whether the block's data already have the age of the device's initial condition; if not, they were written later.
  virtual bool from_first_condition(BlockInDie block) const = 0;
  // Additional age of the data, in hours for which the device ran.
  virtual double hours(BlockInDie block) const = 0;
};

class BlockHistories {
 public:
  // The two factors convert one month in storage and one month of running to months at 30 C. Without `initial`, all
  // blocks have the age of the initial condition.
  BlockHistories(const ConditionParameters& first, double storage_months_at_30c, double running_months_at_30c,
                 std::uint32_t blocks, std::unique_ptr<InitialAges> initial = nullptr);

  std::uint32_t cycles(BlockInDie block) const;
  // Erases of the block in the simulation.
  std::uint32_t erases(BlockInDie block) const { return has(block) ? record(block).erases : 0; }

  void read(BlockInDie block) { ++touch(block).reads; }
  void erase(BlockInDie block);
  // The wordline's cells are programmed.
  void program(BlockInDie block, std::uint32_t wordline, Tick now);
  // The wordline's cells are verified again, which restores the charge that they had lost.
  void adjust(BlockInDie block, std::uint32_t wordline, Tick now);

  // reads(): reads of the block since its erase. age_months(): time since the wordline was programmed or adjusted, in
  // months at 30 C.
  std::uint64_t reads(BlockInDie block) const { return has(block) ? record(block).reads : first_reads_; }
  double age_months(BlockInDie block, std::uint32_t wordline, Tick now) const;

  // Adds unsimulated time, in months at 30 C.
  void advance(double months) { skipped_months_ += months; }

  // `now` is the simulation's time; ages are kept even if the state is restored at another time. `wordlines`: wordlines
  // of a block.
  void persist(Archive& archive, Tick now, std::uint32_t wordlines);

 private:
  // Wordlines are programmed in order. A run holds the wordlines from `wordline` up to the next run, all programmed at
  // the same time.
  struct Run {
    std::uint32_t wordline;
    double months;  // time on clock(); negative before the start
  };
  struct Record {
    std::uint32_t erases = 0;
    std::uint64_t reads = 0;
    std::vector<Run> runs;
    std::vector<Run> adjusted;  // single wordlines, ascending
  };

  void persist(Archive& archive, Record& record, std::uint32_t wordlines, double clock) const;
  double first_age_months(BlockInDie block) const;
  double clock(Tick now) const { return static_cast<double>(now) * months_per_tick_ + skipped_months_; }
  bool has(BlockInDie block) const { return !records_.empty() && index_[block] != 0; }
  const Record& record(BlockInDie block) const { return records_[index_[block] - 1]; }
  Record& touch(BlockInDie block);

  std::uint32_t first_cycles_;
  std::uint64_t first_reads_;
  double first_age_months_;
  std::unique_ptr<InitialAges> initial_;
  double months_per_tick_;
  double skipped_months_ = 0;                  // unsimulated time
  IdVector<BlockInDie, std::uint32_t> index_;  // one more than the block's place in records_, or 0
  std::vector<Record> records_;
};

}  // namespace nandscape::nand

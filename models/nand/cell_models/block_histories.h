// SPDX-License-Identifier: Apache-2.0
// The history of each block of a die: its erases, its reads, and the times at which its wordlines were programmed. Only
// blocks that were read, erased or programmed during the simulation need memory. All other blocks share the initial
// condition of the device. Times are times at the configured temperature (see core/temperature_source.h).
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

// The ages of the data that the blocks contained before the simulation began. Blocks are numbered over all planes of
// the die.
class InitialAges {
 public:
  virtual ~InitialAges() = default;
  // Returns true if the block's data are at least as old as the device's initial condition says. Returns false if the
  // data were written after the time to which that condition refers.
  virtual bool from_first_condition(BlockInDie block) const = 0;
  // Returns the additional age of the data, in hours during which the device was running.
  virtual double hours(BlockInDie block) const = 0;
};

class BlockHistories {
 public:
  // The two factors convert one month in storage, and one month of operation, to months at 30 C. If `initial` is null,
  // the data of all blocks have the age of the initial condition.
  BlockHistories(const ConditionParameters& first, double storage_months_at_30c, double running_months_at_30c,
                 std::uint32_t blocks, std::unique_ptr<InitialAges> initial = nullptr);

  std::uint32_t cycles(BlockInDie block) const;
  // Returns the number of times that the block was erased during the simulation.
  std::uint32_t erases(BlockInDie block) const { return has(block) ? record(block).erases : 0; }

  void read(BlockInDie block) { ++touch(block).reads; }
  void erase(BlockInDie block);
  // Records that the cells of the wordline were programmed.
  void program(BlockInDie block, std::uint32_t wordline, Tick now);
  // Records that the cells of the wordline were verified again. This restores the charge that they had lost.
  void adjust(BlockInDie block, std::uint32_t wordline, Tick now);

  // reads() returns the number of reads of the block since it was erased. age_months() returns the time since the
  // wordline was programmed or adjusted, in months at 30 C.
  std::uint64_t reads(BlockInDie block) const { return has(block) ? record(block).reads : first_reads_; }
  double age_months(BlockInDie block, std::uint32_t wordline, Tick now) const;

  // Adds time that is not simulated, in months at 30 C.
  void advance(double months) { skipped_months_ += months; }

  // Saves or restores the histories. `now` is the simulated time. Ages are preserved even if the state is restored at
  // another simulated time. `wordlines` is the number of wordlines in a block.
  void persist(Archive& archive, Tick now, std::uint32_t wordlines);

 private:
  // Wordlines of a block are programmed in order. A run is a group of consecutive wordlines that were programmed at the
  // same time. It begins with `wordline` and ends before the first wordline of the next run.
  struct Run {
    std::uint32_t wordline;
    double months;  // time as given by clock(); negative before the start of the simulation
  };
  struct Record {
    std::uint32_t erases = 0;
    // No wordline was programmed since the start and the block was not erased. `runs` is then empty, so that a block
    // which is only read takes no more memory.
    bool initial = true;
    std::uint64_t reads = 0;
    std::vector<Run> runs;
    std::vector<Run> adjusted;  // single wordlines, ascending
  };

  void persist(Archive& archive, Record& record, std::uint32_t wordlines, double clock) const;
  // Ends the initial state of the record: the age of the block's first data becomes a run.
  void begin_runs(BlockInDie block, Record& record) const;
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
  double skipped_months_ = 0;                  // time that was not simulated, in months at 30 C
  IdVector<BlockInDie, std::uint32_t> index_;  // index in records_ plus one; 0 if the block has no record
  std::vector<Record> records_;
};

}  // namespace nandscape::nand

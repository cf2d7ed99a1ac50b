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

  std::uint32_t cycles(BlockInDie block) const { return first_cycles_ + erases(block); }
  // Returns the number of times that the block was erased during the simulation.
  std::uint32_t erases(BlockInDie block) const { return record(block).erases; }

  void read(BlockInDie block, std::uint32_t reads = 1) { touch(block).reads += reads; }
  void erase(BlockInDie block);
  // Records that the cells of the wordline were programmed.
  void program(BlockInDie block, std::uint32_t wordline, Tick now);
  // Records that the cells of the wordline were verified again. This restores the charge that they had lost.
  void adjust(BlockInDie block, std::uint32_t wordline, Tick now);

  // reads() returns the number of reads of the block since it was erased. age_months() returns the time since the
  // wordline was programmed or adjusted, in months at 30 C.
  std::uint64_t reads(BlockInDie block) const { return record(block).reads; }
  double age_months(BlockInDie block, std::uint32_t wordline, Tick now) const {
    const Record& known = record(block);
    const bool as_at_start = known.initial && known.adjusted.empty();
    return as_at_start ? first_age_months(block) + clock(now) : age_since_start(block, known, wordline, now);
  }

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
  double first_age_months(BlockInDie block) const {
    return initial_ == nullptr ? first_age_months_ : initial_age_months(block);
  }
  double initial_age_months(BlockInDie block) const;
  // Returns the age of a wordline in a block that was programmed, erased or adjusted since the start.
  double age_since_start(BlockInDie block, const Record& record, std::uint32_t wordline, Tick now) const;
  double clock(Tick now) const { return static_cast<double>(now) * months_per_tick_ + skipped_months_; }
  const Record& record(BlockInDie block) const { return records_[index_[block]]; }
  Record& touch(BlockInDie block) { return records_[index_[block] == untouched ? add(block) : index_[block]]; }
  // Adds a record for an untouched block and returns its index.
  std::uint32_t add(BlockInDie block);

  static constexpr std::uint32_t untouched = 0;

  std::uint32_t first_cycles_;
  double first_age_months_;
  std::unique_ptr<InitialAges> initial_;
  double months_per_tick_;
  double skipped_months_ = 0;                  // time that was not simulated, in months at 30 C
  IdVector<BlockInDie, std::uint32_t> index_;  // index in records_
  std::vector<Record> records_;                // the first record stands for all untouched blocks
};

}  // namespace nandscape::nand

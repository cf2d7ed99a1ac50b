// SPDX-License-Identifier: Apache-2.0
// The retention tracker [Liu et al., FAST 2012, section 5.1]. It reprograms the data of relaxed blocks before they
// decay. Blocks opened in one period are reprogrammed during the next period, one after the other, the oldest first, at
// even intervals. At the end of a period, the blocks opened in it are closed. After a long time without power, all
// overdue blocks are reprogrammed at once, before the others.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "controller/addresses/ids.h"
#include "controller/mapping/power_state.h"
#include "controller/migration/block_guarantees.h"
#include "core/archive.h"
#include "core/ticks.h"

namespace nandscape::controller {

// Records when each relaxed block was opened. Host writes to relaxed blocks are programmed fast, but their data last
// only for two periods. Time is divided into periods, and the data written in one period are reprogrammed during the
// next [Liu et al., FAST 2012, sections 5.1 and 5.2]. The write mode of a block is the number of the period in which it
// was opened, modulo 255, plus 1. The mode is stored in the tags of its pages, so it survives a loss of power.
class RelaxedBlocks {
 public:
  RelaxedBlocks(double period_hours, const DriveClock& clock) : period_hours_(period_hours), clock_(clock) {}

  // Sets the number of blocks in the drive.
  void resize(std::uint32_t blocks) { opened_hours_.resize(blocks, 0); }

  double period_hours() const { return period_hours_; }
  std::uint64_t period(Tick now) const { return static_cast<std::uint64_t>(clock_.hours(now) / period_hours_); }
  double period_begin(Tick now) const { return static_cast<double>(period(now)) * period_hours_; }
  double period_end(Tick now) const { return period_begin(now) + period_hours_; }

  // Records that the block is opened now. Returns its write mode, which is never 0.
  std::uint8_t open(Superblock block, Tick now);
  // Returns how many periods have begun since a block with that mode was opened.
  std::uint32_t periods_since(std::uint8_t mode, Tick now) const;
  // Called after a loss of power, when only the mode of the block is known. Assumes that the block was opened at the
  // beginning of its period.
  void found(Superblock block, std::uint8_t mode, Tick now);
  double opened_hours(Superblock block) const { return opened_hours_[block.value]; }
  double age_hours(Superblock block, Tick now) const { return clock_.hours(now) - opened_hours(block); }

  void persist(Archive& archive);

 private:
  static constexpr std::uint32_t modes = 255;

  const double period_hours_;
  const DriveClock& clock_;
  std::vector<double> opened_hours_;  // for each block, the time in hours on the drive's clock at which it was opened
};

class RetentionTracker final : public BlockGuarantees {
 public:
  RetentionTracker(RelaxedBlocks& relaxed, const GuaranteeContext& context);

  Tick due(Tick now) const override;
  double hours_left(Tick now) const override;
  void work(Tick now) override;
  void resume(Tick now) override;
  void block_erased(Superblock block, Tick now) override;

  GuaranteeCounters counters(Tick now) const override;
  void persist(Archive& archive) override;
  void persist_counters(Archive& archive) override { archive(longest_hours_); }

 private:
  bool holds_data(Superblock block) const { return blocks_.write_mode(block) != 0 && blocks_.valid_pages(block) != 0; }
  bool waits(Superblock block) const { return holds_data(block) && blocks_.state(block) == BlockTable::State::full; }
  std::uint32_t periods_since(Superblock block, Tick now) const {
    return relaxed_.periods_since(blocks_.write_mode(block), now);
  }
  // Returns the time of the next work on the drive's clock, in hours. Infinite if no block holds relaxed data.
  double next(Tick now) const;
  void ask(Superblock block, Tick now);
  void ask_in_turn(std::span<const Superblock> waiting, Tick now);

  RelaxedBlocks& relaxed_;
  const BlockTable& blocks_;
  const DriveClock& clock_;
  Host& host_;
  std::uint64_t period_ = 0;     // the period for which next_hours_ is valid
  double next_hours_ = 0;        // time, on the drive's clock, at which the next waiting block is due
  std::vector<bool> asked_for_;  // for each block: whether `host_` was asked to empty it
  double longest_hours_ = 0;
};

}  // namespace nandscape::controller

// SPDX-License-Identifier: Apache-2.0
// Tracks the relaxed blocks: host writes to them are programmed fast, and their data last only two periods. Time is
// divided into periods, and data written in one are reprogrammed during the next [Liu et al., FAST 2012, 5.1 and 5.2].
// While the drive has power, one bit per block tells its period from the previous one. The tags of its pages hold the
// number of the period modulo 255, which survives any time without power.
#pragma once

#include <cstdint>
#include <vector>

#include "controller/addresses/ids.h"
#include "controller/mapping/drive_clock.h"
#include "core/archive.h"
#include "core/ticks.h"

namespace nandscape::controller {

class RelaxedBlocks {
 public:
  RelaxedBlocks(double period_hours, const DriveClock& clock) : period_hours_(period_hours), clock_(clock) {}

  // Sets the number of blocks.
  void resize(std::uint32_t blocks) { opened_hours_.resize(blocks, 0); }

  double period_hours() const { return period_hours_; }
  std::uint64_t period(Tick now) const { return static_cast<std::uint64_t>(clock_.hours(now) / period_hours_); }
  double period_begin(Tick now) const { return static_cast<double>(period(now)) * period_hours_; }
  double period_end(Tick now) const { return period_begin(now) + period_hours_; }

  // The block is opened. Returns its mode, which is not 0.
  std::uint8_t open(Superblock block, Tick now);
  // The number of periods that have begun since a block of that mode was opened.
  std::uint32_t periods_since(std::uint8_t mode, Tick now) const;
  // Called after a power loss, when only the block's mode is known: assumes that it was opened at the beginning of its
  // period.
  void found(Superblock block, std::uint8_t mode, Tick now);
  double opened_hours(Superblock block) const { return opened_hours_[block.value]; }
  double age_hours(Superblock block, Tick now) const { return clock_.hours(now) - opened_hours(block); }

  void persist(Archive& archive);

 private:
  static constexpr std::uint32_t modes = 255;

  const double period_hours_;
  const DriveClock& clock_;
  std::vector<double> opened_hours_;  // by block: the clock when it was opened
};

}  // namespace nandscape::controller

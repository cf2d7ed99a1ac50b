// SPDX-License-Identifier: Apache-2.0
// Blocks that the host's writes are programmed to fast, so that they keep data for two periods only, and when they were
// opened. Time is cut into periods, and what was written in one is reprogrammed during the next [Liu et al., FAST 2012,
// 5.1 and 5.2]. As long as the drive has power, one bit for each block tells its period from the one before; in the
// tags of its pages, which outlast any time without power, the number of the period stands modulo 255.
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

  // Of so many blocks it is known when they were opened.
  void resize(std::uint32_t blocks) { opened_hours_.resize(blocks, 0); }

  double period_hours() const { return period_hours_; }
  std::uint64_t period(Tick now) const { return static_cast<std::uint64_t>(clock_.hours(now) / period_hours_); }
  double period_begin(Tick now) const { return static_cast<double>(period(now)) * period_hours_; }
  double period_end(Tick now) const { return period_begin(now) + period_hours_; }

  // The block is opened: its mode, which is not 0.
  std::uint8_t open(Superblock block, Tick now);
  // Since the period in which a block of that mode was opened, so many have begun.
  std::uint32_t periods_since(std::uint8_t mode, Tick now) const;
  // After time without power no more is known than its mode: at the earliest, it was opened at the begin of its period.
  void found(Superblock block, std::uint8_t mode, Tick now);
  double opened_hours(Superblock block) const { return opened_hours_[block.value]; }
  double age_hours(Superblock block, Tick now) const { return clock_.hours(now) - opened_hours(block); }

  void persist(Archive& archive);

 private:
  static constexpr std::uint32_t modes = 255;

  const double period_hours_;
  const DriveClock& clock_;
  std::vector<double> opened_hours_;  // by block, as the clock stood then
};

}  // namespace nandscape::controller

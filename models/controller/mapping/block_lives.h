// SPDX-License-Identifier: Apache-2.0
// What has happened to each block since the start of the simulation: its erases, and when its data were written. These
// records outlive a loss of power, and no engine of the controller reads them. They serve views of the blocks
// (block_view.h) and statistics. The records by which the controller decides, BlockTable and BlockAges, know only what
// a controller finds out after a loss of power.
#pragma once

#include <cstdint>
#include <map>
#include <vector>

#include "controller/addresses/ids.h"
#include "controller/mapping/power_state.h"
#include "core/archive.h"
#include "core/id_vector.h"
#include "core/statistics.h"
#include "core/ticks.h"

namespace nandscape::controller {

// Program/erase cycles of the blocks of a drive. All figures are 0 if there are no blocks.
struct WearFigures {
  std::uint64_t least = 0;
  double mean = 0;
  std::uint64_t most = 0;
};
void describe(const WearFigures& wear, StatisticsVisitor& visitor);

// The number of blocks by their erases, so that the least and the most worn block are known without a look at each.
class WearCounts {
 public:
  void add(std::uint32_t erases, std::uint32_t blocks = 1) { blocks_[erases] += blocks; }
  // Removes a block that has this number of erases.
  void remove(std::uint32_t erases);
  void clear() { blocks_.clear(); }
  // Returns the cycles of the blocks if each block had `first_cycles` cycles before its first erase.
  WearFigures figures(std::uint32_t first_cycles) const;

 private:
  std::map<std::uint32_t, std::uint32_t> blocks_;  // without entries of 0 blocks
};

// The erases and the times of writing of all blocks.
class BlockLives {
 public:
  // Values of written_hours() for a block that was not erased since the start, and for one that was not written since
  // its erase.
  static constexpr double before_start = -1;
  static constexpr double not_written = -2;

  BlockLives(std::uint32_t blocks, const DriveClock& clock);

  // Called when the first page of the block has been programmed.
  void written(Superblock block, Tick now) { lives_[block].written_hours = clock_.hours(now); }
  // Called when the block has been erased with success.
  void erased(Superblock block);
  // Called in addition if the cells of the block held one bit each before the erase.
  void slc_erased(Superblock block) { ++lives_[block].slc_erases; }

  std::uint32_t erases(Superblock block) const { return lives_[block].erases; }
  // The erases of the block that ended its use in SLC mode.
  std::uint32_t slc_erases(Superblock block) const { return lives_[block].slc_erases; }
  const WearCounts& wear() const { return wear_; }
  // The hour of the drive's clock in which the first page of the block was programmed, or one of the values above.
  double written_hours(Superblock block) const { return lives_[block].written_hours; }

  void persist(Archive& archive);

 private:
  struct Life {
    double written_hours = before_start;
    std::uint32_t erases = 0;
    std::uint32_t slc_erases = 0;
  };

  const DriveClock& clock_;
  IdVector<Superblock, Life> lives_;
  WearCounts wear_;
};

}  // namespace nandscape::controller

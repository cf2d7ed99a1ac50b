// SPDX-License-Identifier: Apache-2.0
#include "controller/power_cycle.h"

#include <utility>

namespace nandscape::controller {

void PowerCycle::recover(Tick now, std::function<void()> recovered) {
  when_recovered_ = std::move(recovered);
  drive_.recovery.start(now);
}

void PowerCycle::recovered(const std::vector<Superblock>& outdated_journal, const std::vector<Superblock>& undone,
                           Tick now) {
  const FtlGeometry& geometry = drive_.blocks.geometry();
  if (drive_.cache != nullptr) drive_.cache->come_up();
  for (const Superblock block : outdated_journal) drive_.collector.discard(block, now);
  for (const Superblock block : undone) drive_.collector.discard(block, now);
  if (drive_.blocks.good_blocks() != geometry.blocks()) drive_.end_of_life.room_changed(now);
  for (const Superblock block : geometry.every_block()) {
    if (drive_.blocks.failing(block)) drive_.collector.empty(block, Reason::failure, now);
  }
  drive_.journal.write(now);
  for (const FtlPlane plane : geometry.every_plane()) drive_.collector.check(plane, now);
  drive_.care.resume(now);
  drive_.accesses.recovered(now);
  if (when_recovered_) when_recovered_();
}

void PowerCycle::save(Tick now, Unanswered unanswered, TrimRecords trims) {
  const bool begins = !std::exchange(drive_.power.saving, true);
  drive_.power.unanswered = unanswered;
  drive_.scheduler.save();
  drive_.collector.wait_for_durable_moves();
  drive_.collector.halt();
  drive_.writes.release_gathered(now);
  drive_.writer.encoding().release_held();
  // A save may be requested again while it is under way. Its snapshot then exists already, and there may be no free
  // block for a second one.
  if (begins && trims == TrimRecords::journal && !drive_.trimmed.empty()) drive_.journal.demand_snapshot();
  drive_.journal.write(now);
  // Saved data may use blocks that were reserved for garbage collection.
  drive_.writer.placement().places_changed_anywhere(now);
}

std::uint64_t PowerCycle::save_room() const {
  const std::uint64_t units_per_block = drive_.blocks.geometry().units_per_block();
  return drive_.blocks.spare_free_blocks() * units_per_block + drive_.writer.open_units();
}

}  // namespace nandscape::controller

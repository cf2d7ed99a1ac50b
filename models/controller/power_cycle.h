// SPDX-License-Identifier: Apache-2.0
// The work of the flash translation layer when the supply fails and when it returns: saving on capacitor power, and the
// first steps after the recovery of the mapping.
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "controller/host_io/end_of_life.h"
#include "controller/host_io/host_accesses.h"
#include "controller/host_io/host_writes.h"
#include "controller/mapping/power_state.h"
#include "controller/mapping/trimmed_ranges.h"
#include "controller/migration/media_care.h"
#include "controller/power_loss/power_loss.h"
#include "controller/power_loss/power_on_recovery.h"
#include "core/component.h"

namespace nandscape::controller {

class PowerCycle final : public Component, public PowerOnRecovery::Listener {
 public:
  struct Context {
    PowerState& power;
    FlashScheduler& scheduler;
    BlockTable& blocks;
    const TrimmedRanges& trimmed;
    GarbageCollector& collector;
    PageWriter& writer;
    JournalWriter& journal;
    MediaCare& care;
    PowerOnRecovery& recovery;
    EndOfLife& end_of_life;
    HostWrites& writes;
    HostAccesses& accesses;
  };

  explicit PowerCycle(const Context& context) : drive_(context) {}

  // Restores the mapping from flash, and then calls `recovered`. Accesses wait until then.
  void recover(Tick now, std::function<void()> recovered);
  // Saves data on capacitor power: from now on, flushes make all data durable. Saving leaves each plane the blocks that
  // collection needs to continue after the next power-up (GarbageCollector). The journal of trims gets a new snapshot
  // only if the trims are recorded there: a power-on frees its block, and a restore from a checkpoint does not.
  void save(Tick now, Unanswered unanswered, TrimRecords trims);
  // Units that can still be saved.
  std::uint64_t save_room() const;

  PowerLossCounters& counters() { return counters_; }
  const PowerLossCounters& counters() const { return counters_; }
  void persist_counters(Archive& archive) override { archive(counters_); }

 private:
  // PowerOnRecovery::Listener
  void mapping_lost(Tick now) override { drive_.end_of_life.stop_writing(now); }
  void recovered(const std::vector<Superblock>& outdated_journal, const std::vector<Superblock>& undone,
                 Tick now) override;

  const Context drive_;
  std::function<void()> when_recovered_;
  PowerLossCounters counters_;
};

}  // namespace nandscape::controller

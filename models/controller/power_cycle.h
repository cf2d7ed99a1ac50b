// SPDX-License-Identifier: Apache-2.0
// The work of the flash translation layer when the supply fails and when it returns. The class saves data on capacitor
// power, and resumes normal operation once the mapping has been recovered.
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
#include "controller/slc_cache/slc_cache.h"
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
    SlcCache* cache;  // null if the drive has none
  };

  explicit PowerCycle(const Context& context) : drive_(context) {}

  // Restores the mapping from flash, and then calls `recovered`. Accesses wait until that call.
  void recover(Tick now, std::function<void()> recovered);
  // Saves data on capacitor power. From now on, flushes make all data durable. Each plane keeps the blocks that garbage
  // collection needs to continue after the next power-on (see GarbageCollector). The journal of trims begins a new
  // snapshot only if `trims` says that the trims are recorded there. The block of this snapshot is freed by a power-on,
  // but not by a restore from a checkpoint of the simulation.
  void save(Tick now, Unanswered unanswered, TrimRecords trims);
  // Returns the number of mapping units that can still be saved.
  std::uint64_t save_room() const;

  PowerLossCounters& counters() { return counters_; }
  const PowerLossCounters& counters() const { return counters_; }
  void persist_counters(Archive& archive) override { archive(counters_); }

 private:
  // Implements PowerOnRecovery::Listener.
  void mapping_lost(Tick now) override { drive_.end_of_life.stop_writing(now); }
  void recovered(const std::vector<Superblock>& outdated_journal, const std::vector<Superblock>& undone,
                 Tick now) override;

  const Context drive_;
  std::function<void()> when_recovered_;
  PowerLossCounters counters_;
};

}  // namespace nandscape::controller

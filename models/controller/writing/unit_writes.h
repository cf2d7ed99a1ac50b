// SPDX-License-Identifier: Apache-2.0
// What becomes of units that are written, whoever writes them: they are mapped when they are programmed, and durable
// when their wordline is complete. A unit whose wordline fails in between is written once more; its data are in the
// controller alone as long, so that reads and writes of the unit wait behind it.
#pragma once

#include <cstdint>
#include <utility>

#include "controller/mapping/block_ages.h"
#include "controller/mapping/block_pins.h"
#include "controller/mapping/lost_writes.h"
#include "controller/mapping/mapping_cache.h"
#include "controller/mapping/power_state.h"
#include "controller/mapping/trimmed_ranges.h"
#include "controller/mapping/unit_map.h"
#include "controller/writing/unit_write.h"
#include "controller/writing/writes_in_flight.h"

namespace nandscape::controller {

class UnitWrites {
 public:
  // The side of the host.
  class Listener {
   public:
    // What has waited behind the unit may go on; `completed` is the access that has ended with it, or null.
    virtual void resume(UnitWrite& ended, PageAccess* completed, Tick now) = 0;
    // Parts of units that are to be merged with that one may have waited for it.
    virtual void written_again(Lpn lpn, Tick now) = 0;
    virtual void complete(PageAccess& access, Tick now) = 0;

   protected:
    ~Listener() = default;
  };

  UnitWrites(const FlashLayout& layout, UnitMap& map, BlockTable& blocks, BlockPins& pins, BlockAges& ages,
             MappingCache& mapping_cache, TrimmedRanges& trimmed, const PowerState& power);

  void set_listener(Listener& listener) { listener_ = &listener; }

  // Those that later accesses to their units wait for.
  WritesInFlight& in_flight() { return in_flight_; }
  const WritesInFlight& in_flight() const { return in_flight_; }
  // Of these, how many are being written once more.
  std::uint32_t rewritten() const { return rewritten_; }
  // The write that a read of the unit has to wait for. Of a page that is being written once more, what is in flash
  // cannot be read: not even while a later write is on its way, behind which a read finds the new data.
  UnitWrite* rewrite_of(Lpn lpn, Ppa place) const;
  // The translation page is in memory, to be written once more.
  bool in_memory(Lpn lpn) const { return rewritten_ > 0 && in_flight_.find(lpn) != nullptr; }

  // The unit will be mapped soon.
  void prefetch(const UnitWrite& unit) const { map_.prefetch(unit.lpn); }
  // What the unit's page is told.
  void programmed(UnitWrite& unit, Tick now);
  void durable(UnitWrite& unit, Tick now);
  void must_be_rewritten(UnitWrite& unit);
  void refused(UnitWrite& unit, Tick now);

  // The unit is mapped, or cannot be written: what has waited behind it goes on, and its access ends, if it may.
  void end(UnitWrite& unit, bool completes, Tick now);
  // The unit lies at its place now, and not at `old` any more.
  void map(UnitWrite& unit, Ppa old, Tick now);
  // The older version must not be erased until this one is durable.
  void hold_back(UnitWrite& unit, Ppa older);
  void mapping_changed(Lpn lpn, Tick now) {
    if (!map_.is_translation_page(lpn)) mapping_cache_.update(lpn, now);
  }
  // Units whose place failed while the drive saved, and which found no other.
  const LostWrites& lost_while_saving() const { return lost_; }
  // Adds the sectors that the host loses with the unit: those that it wrote, or the whole unit where it was moved.
  void add_lost(const UnitWrite& unit, LostWrites& lost) const;
  // The unit's access has been failed.
  void abandon(UnitWrite& unit);
  // Whether what was programmed just now includes units that the host waits for to be durable; asked once.
  bool take_forced() { return std::exchange(forced_, false); }
  void set_forced() { forced_ = true; }

 private:
  void written_again(UnitWrite& unit, Tick now);

  const FlashLayout& layout_;
  UnitMap& map_;
  BlockTable& blocks_;
  BlockPins& pins_;
  BlockAges& ages_;
  MappingCache& mapping_cache_;
  TrimmedRanges& trimmed_;
  const PowerState& power_;
  Listener* listener_ = nullptr;
  WritesInFlight in_flight_;
  std::uint32_t rewritten_ = 0;
  LostWrites lost_;
  bool forced_ = false;
};

}  // namespace nandscape::controller

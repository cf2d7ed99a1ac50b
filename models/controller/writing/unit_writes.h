// SPDX-License-Identifier: Apache-2.0
// Tracks the units that are being written, by the host, by garbage collection and by all other writers. A unit is
// mapped to its new location when it is programmed, and it is durable when its wordline is complete. If the wordline
// fails before that, the unit is written again. Until then only the controller has its data, and reads and writes of
// the unit wait.
#pragma once

#include <cstdint>
#include <iosfwd>
#include <set>
#include <utility>

#include "controller/mapping/block_ages.h"
#include "controller/mapping/block_table.h"
#include "controller/mapping/mapping_cache.h"
#include "controller/mapping/power_state.h"
#include "controller/mapping/trimmed_ranges.h"
#include "controller/mapping/unit_map.h"
#include "controller/writing/page_program.h"
#include "controller/writing/unit_write.h"
#include "core/component.h"
#include "core/ids.h"

namespace nandscape::controller {

// The acknowledged data that are lost when power fails: the sectors whose latest acknowledged write is not on flash.
class LostWrites {
 public:
  void add(Lpn unit, std::uint32_t first_sector, std::uint32_t sector_count) {
    for (std::uint32_t k = 0; k < sector_count; ++k) sectors_.insert({unit, first_sector + k});
  }
  void add(const LostWrites& others) { sectors_.insert(others.sectors_.begin(), others.sectors_.end()); }
  std::uint64_t sectors() const { return sectors_.size(); }
  std::uint64_t units() const {
    std::uint64_t count = 0;
    Lpn last;
    for (const auto& [unit, sector] : sectors_) {
      count += count == 0 || unit != last;
      last = unit;
    }
    return count;
  }

 private:
  std::set<std::pair<Lpn, std::uint32_t>> sectors_;
};

class UnitWrites final : public Component {
 public:
  // The host's side of the flash translation layer, which is notified.
  class Listener {
   public:
    // Called when accesses that have waited for the unit may proceed. `completed` is the access that ends together with
    // the unit, or null.
    virtual void resume(UnitWrite& ended, PageAccess* completed, Tick now) = 0;
    // Called when the unit has been written again after a failed program. Partial writes that must be merged with it
    // may have waited for that.
    virtual void written_again(Lpn lpn, Tick now) = 0;
    virtual void complete(PageAccess& access, Tick now) = 0;

   protected:
    ~Listener() = default;
  };

  UnitWrites(const FlashLayout& layout, UnitMap& map, BlockTable& blocks, BlockPins& pins, BlockAges& ages,
             MappingCache& mapping_cache, TrimmedRanges& trimmed, const PowerState& power);

  void set_listener(Listener& listener) { listener_ = &listener; }

  // The writes that later accesses to the same units have to wait for.
  WritesInFlight& in_flight() { return in_flight_; }
  const WritesInFlight& in_flight() const { return in_flight_; }
  bool idle() const override { return in_flight_.empty(); }
  void list_waiting(std::ostream& out) const override;
  // Returns the number of units that are being written again after a failed program.
  std::uint32_t rewritten() const { return rewritten_; }
  // Returns the write that a read of the unit has to wait for, or null. If the unit is being written again, its lost
  // copy cannot be read from flash. This is also true while a later write of the unit is under way; when that write has
  // ended, the read returns the new data.
  UnitWrite* rewrite_of(Lpn lpn, Ppa place) const {
    UnitWrite* const write = rewritten_ == 0 ? nullptr : in_flight_.find(lpn);
    if (write == nullptr) return nullptr;
    const bool torn = write->rewritten || (place.valid() && blocks_.failing(layout_.block_of(place)));
    return torn ? write : nullptr;
  }
  // Returns whether the translation page is in memory, because it is being written again.
  bool in_memory(Lpn lpn) const { return rewritten_ > 0 && in_flight_.find(lpn) != nullptr; }

  // Prefetches the mapping entry of a unit into the processor's cache, because the unit will be mapped soon.
  void prefetch(const UnitWrite& unit) const { map_.prefetch(unit.lpn); }
  // Called when the page of the unit has been programmed, when it is durable, when its wordline has been lost, and when
  // it cannot be written anywhere.
  void programmed(UnitWrite& unit, Tick now);
  void durable(UnitWrite& unit, Tick now);
  void must_be_rewritten(UnitWrite& unit);
  void refused(UnitWrite& unit, Tick now);

  // Called when the unit has been mapped or cannot be written. Accesses that have waited for the unit proceed. If
  // `completes` is true, the unit's own access is completed.
  void end(UnitWrite& unit, bool completes, Tick now);
  // Returns the acknowledged writes that would be lost if the supply ended now. These are the units that are only in
  // latches, and the units whose location failed during a save and that could not be written elsewhere.
  LostWrites lost_without_power(const UndurablePages& latched) const;
  // Called when the access of the unit has failed. The unit will not be mapped.
  void abandon(UnitWrite& unit);
  // Returns whether the pages programmed since the last call contain units for whose durability the host is waiting.
  [[nodiscard]] bool take_forced() { return std::exchange(forced_, false); }

 private:
  // Maps the unit to its new location, replacing the location `old`.
  void map(UnitWrite& unit, Ppa old, Tick now);
  // Pins the block of the older version, so that it is not erased before this version is durable.
  void hold_back(UnitWrite& unit, Ppa older);
  void mapping_changed(Lpn lpn, Tick now) {
    if (!map_.is_translation_page(lpn)) mapping_cache_.update(lpn, now);
  }
  void answer(UnitWrite& unit, Tick now);
  void programmed_again(UnitWrite& unit, Tick now);
  void written_again(UnitWrite& unit, Tick now);
  void lose(UnitWrite& unit, Tick now);
  // Adds the sectors that the host loses if the unit is lost. These are the sectors that the host wrote, or the whole
  // unit if it was moved.
  void add_lost(const UnitWrite& unit, LostWrites& lost) const;
  // Records that the unit is no longer being written again. Returns whether it was being written again.
  bool end_rewrite(UnitWrite& unit);

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

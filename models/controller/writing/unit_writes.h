// SPDX-License-Identifier: Apache-2.0
// Follows units that are being written, for all writers. A unit is mapped when it is programmed, and durable when its
// wordline is complete. If the wordline fails in between, the unit is written again. Until then its data are only in
// the controller, and reads and writes of the unit wait.
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

// The acknowledged data that a power cut destroys: the sectors whose latest acknowledged write is not on flash.
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
  // The host's side.
  class Listener {
   public:
    // Accesses that waited for the unit may proceed. `completed` is the access that ended with the unit, or null.
    virtual void resume(UnitWrite& ended, PageAccess* completed, Tick now) = 0;
    // The unit was written again. Partial writes that must be merged with it may have waited for that.
    virtual void written_again(Lpn lpn, Tick now) = 0;
    virtual void complete(PageAccess& access, Tick now) = 0;

   protected:
    ~Listener() = default;
  };

  UnitWrites(const FlashLayout& layout, UnitMap& map, BlockTable& blocks, BlockPins& pins, BlockAges& ages,
             MappingCache& mapping_cache, TrimmedRanges& trimmed, const PowerState& power);

  void set_listener(Listener& listener) { listener_ = &listener; }

  // Writes that later accesses to their units wait for.
  WritesInFlight& in_flight() { return in_flight_; }
  const WritesInFlight& in_flight() const { return in_flight_; }
  bool idle() const override { return in_flight_.empty(); }
  void list_waiting(std::ostream& out) const override;
  // Number of units that are being written again.
  std::uint32_t rewritten() const { return rewritten_; }
  // The write that a read of the unit has to wait for, or null. The lost copy of a unit that is being written again
  // cannot be read from flash, even while a later write is under way. After that write the read finds the new data.
  UnitWrite* rewrite_of(Lpn lpn, Ppa place) const {
    UnitWrite* const write = rewritten_ == 0 ? nullptr : in_flight_.find(lpn);
    if (write == nullptr) return nullptr;
    const bool torn = write->rewritten || (place.valid() && blocks_.failing(layout_.block_of(place)));
    return torn ? write : nullptr;
  }
  // Whether the translation page is in memory because it is being written again.
  bool in_memory(Lpn lpn) const { return rewritten_ > 0 && in_flight_.find(lpn) != nullptr; }

  // Prefetches the mapping entry of a unit that will be mapped soon.
  void prefetch(const UnitWrite& unit) const { map_.prefetch(unit.lpn); }
  // Events of the page that holds the unit.
  void programmed(UnitWrite& unit, Tick now);
  void durable(UnitWrite& unit, Tick now);
  void must_be_rewritten(UnitWrite& unit);
  void refused(UnitWrite& unit, Tick now);

  // The unit is mapped, or cannot be written. Accesses that wait for the unit proceed; `completes`: its own access
  // ends.
  void end(UnitWrite& unit, bool completes, Tick now);
  // Acknowledged writes that are lost if the supply ends now: units in latches, and units whose place failed during a
  // save and that found no other place.
  LostWrites lost_without_power(const UndurablePages& latched) const;
  // The unit's access has failed, so the unit must not be mapped.
  void abandon(UnitWrite& unit);
  // Whether the pages programmed just now hold units whose durability the host waits for. Resets the answer.
  [[nodiscard]] bool take_forced() { return std::exchange(forced_, false); }

 private:
  // Maps the unit to its place instead of `old`.
  void map(UnitWrite& unit, Ppa old, Tick now);
  // Keeps the block of the older version from being erased until this version is durable.
  void hold_back(UnitWrite& unit, Ppa older);
  void mapping_changed(Lpn lpn, Tick now) {
    if (!map_.is_translation_page(lpn)) mapping_cache_.update(lpn, now);
  }
  void answer(UnitWrite& unit, Tick now);
  void programmed_again(UnitWrite& unit, Tick now);
  void written_again(UnitWrite& unit, Tick now);
  void lose(UnitWrite& unit, Tick now);
  // Adds the sectors that the host loses with the unit: the sectors that it wrote, or the whole unit if it was moved.
  void add_lost(const UnitWrite& unit, LostWrites& lost) const;
  // The unit is no longer being written again. Returns whether it was.
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

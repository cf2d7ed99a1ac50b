// SPDX-License-Identifier: Apache-2.0
// Executes trims of the host by unmapping their units. A large trim is split into parts, each of which needs processing
// time, so that the controller can do other work between the parts.
#pragma once

#include <cstdint>
#include <map>

#include "controller/host_io/host_port.h"
#include "controller/mapping/mapping_cache.h"
#include "controller/mapping/power_state.h"
#include "controller/mapping/trimmed_ranges.h"
#include "controller/mapping/unit_map.h"
#include "controller/migration/garbage_collection/garbage_collector.h"
#include "controller/power_loss/journal_writer.h"
#include "controller/writing/unit_writes.h"
#include "core/calendar.h"
#include "core/component.h"

namespace nandscape::controller {

class HostTrims final : public Component {
 public:
  class Listener {
   public:
    // Called when some of the units [first, first + count) have been trimmed. Accesses that wait for these units may
    // proceed.
    virtual void trimmed(Lpn first, std::uint64_t count, Tick now) = 0;

   protected:
    ~Listener() = default;
  };

  HostTrims(UnitMap& map, BlockTable& blocks, MappingCache& mapping_cache, UnitWrites& units, TrimmedRanges& trimmed,
            JournalWriter& journal, GarbageCollector& collector, const PowerState& power, const HostPort& host,
            Calendar& calendar, double entry_ns);

  void set_listener(Listener& listener) { listener_ = &listener; }

  void trim(PageAccess& access, Tick now);
  // Executes the next part of the trim. If a write to one of its units is in flight, the trim waits behind this write
  // instead.
  void go_on(PageAccess& access, Tick now);

  bool idle() const override { return trims_.empty(); }
  void persist(Archive& archive) override { trimmed_.persist(archive, map_.host_units(), map_.version()); }
  // Returns whether a pending trim has yet to unmap units that `change`, a write or another trim, also changes.
  // `change` must then wait.
  bool is_ahead_of(const PageAccess& change) const;

 private:
  struct Trim {
    PageAccess* access;
    std::uint64_t done;  // number of units that have been unmapped
  };

  // The key is the unit after the last unit of the trim. The remaining parts of different trims do not overlap.
  using Trims = std::multimap<std::uint64_t, Trim>;

  static std::uint64_t end_of(const PageAccess& trim) { return trim.lpn.value + trim.page_count; }
  Trims::iterator find(const PageAccess& access);
  void part_ended(PageAccess& access);
  void forget(Lpn first, std::uint64_t count, Tick now);

  UnitMap& map_;
  BlockTable& blocks_;
  MappingCache& mapping_cache_;
  UnitWrites& units_;
  TrimmedRanges& trimmed_;
  JournalWriter& journal_;
  GarbageCollector& collector_;
  const PowerState& power_;
  const HostPort& host_;
  Calendar& calendar_;
  const double entry_ns_;
  Listener* listener_ = nullptr;
  Trims trims_;
  Tick busy_ = 0;  // time until which earlier trims need the processor
};

}  // namespace nandscape::controller

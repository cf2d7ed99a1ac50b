// SPDX-License-Identifier: Apache-2.0
// Host trims: unmaps units. A large trim is done in parts, each of which takes time, so that other work of the
// controller proceeds in between.
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
    // Called when part of these units has been trimmed. Accesses that wait for them may proceed.
    virtual void trimmed(Lpn first, std::uint64_t count, Tick now) = 0;

   protected:
    ~Listener() = default;
  };

  HostTrims(UnitMap& map, BlockTable& blocks, MappingCache& mapping_cache, UnitWrites& units, TrimmedRanges& trimmed,
            JournalWriter& journal, GarbageCollector& collector, const PowerState& power, const HostPort& host,
            Calendar& calendar, double entry_ns);

  void set_listener(Listener& listener) { listener_ = &listener; }

  void trim(PageAccess& access, Tick now);
  // Does the next part of the trim, or lets it wait behind a write in flight to one of its units.
  void go_on(PageAccess& access, Tick now);

  bool idle() const override { return trims_.empty(); }
  void persist(Archive& archive) override { trimmed_.persist(archive, map_.host_units(), map_.version()); }
  // Whether the write or trim changes units that a pending trim has not reached yet.
  bool is_ahead_of(const PageAccess& change) const;

 private:
  struct Trim {
    PageAccess* access;
    std::uint64_t done;  // number of units done
  };

  // The key is the unit after the trim's last one. The parts of trims that are not yet done do not overlap.
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
  Tick busy_ = 0;  // busy until then with earlier trims
};

}  // namespace nandscape::controller

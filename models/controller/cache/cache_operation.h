// SPDX-License-Identifier: Apache-2.0
// What the cache asks of the backend, and the writes that go past the cache.
#pragma once

#include <cstdint>

#include "controller/addresses/lpn_table.h"
#include "controller/cache/cached_unit.h"
#include "controller/flash_ops/page_buffers.h"

namespace nandscape::controller {

// Write-backs that go to the backend at the same instant, when the data of all are at hand.
struct WriteBackBatch {
  std::uint32_t preparing = 0;  // units whose data are not at hand yet
  AccessQueue ready;
};

struct CacheOperation : PageAccess {
  enum class Purpose : std::uint8_t {
    fetch,          // of sectors of a unit into the cache
    read_through,   // of the host, for a unit that is not kept
    write_through,  // of the host
    write_back,     // of dirty sectors
    flush,          // of the host
    trim,           // of the host
  };

  Purpose purpose = Purpose::fetch;
  PageAccess* host = nullptr;               // the access of the host that it serves, if one
  CachedUnit* unit = nullptr;               // fetch and write_back
  bool for_write_back = false;              // fetch: the sectors between the dirty ones
  PageBuffer* buffer = nullptr;             // fetch and write_back, when data are kept
  AccessQueue waiting;                      // write_through: accesses to the unit; write_back: writes that it ends
  std::uint64_t pending = 0;                // flush: units to be written back; trim: what is under way in its range
  std::uint64_t barrier = 0;                // flush: the order of the unit that became dirty last
  AccessStatus failure = AccessStatus::ok;  // flush: of a write-back that the host has not yet been told of
  CacheOperation* next_listed = nullptr;
};

// The access that an operation serves waits for nothing else: below, its times are those of the operation.
inline void lend_times(PageAccess& access, CacheOperation& operation, Tick now) {
  if (access.times == nullptr) [[likely]]
    return;
  operation.times = access.times;
  operation.times->enter(LatencyPart::firmware, now);
}

// At most one write goes past the cache to each unit.
class WritesThrough : public LpnTable<CacheOperation, &CacheOperation::next_listed> {
 public:
  std::uint64_t count(Lpn first, std::uint64_t pages) const {
    std::uint64_t found = 0;
    any(first, pages, [&](const CacheOperation&) {
      ++found;
      return false;
    });
    return found;
  }
  // Whether a later write waits for one of those in the range.
  bool writes_wait(const PageAccess& range) const {
    return any(range.lpn, pages_of(range), [](const CacheOperation& write) { return write.waiting.any(is_write); });
  }
};

}  // namespace nandscape::controller

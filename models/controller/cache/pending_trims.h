// SPDX-License-Identifier: Apache-2.0
// Host trims from submission until the backend has done them. A trim is sent to the backend when no operation is under
// way in its range.
#pragma once

#include <cstdint>
#include <map>

#include "controller/cache/cache_operation.h"
#include "core/ticks.h"
#include "protocol/storage.h"

namespace nandscape::controller {

class PendingTrims {
 public:
  explicit PendingTrims(StorageDevice& backend) : backend_(backend) {}

  bool empty() const { return trims_.empty(); }
  bool overlap_with(const PageAccess& access) const;

  // Adds a trim that waits for `trim.pending` operations under way in its range. No other pending trim may overlap it.
  void add(CacheOperation& trim, Tick now);
  // An operation on that page has ended that a pending trim may have waited for.
  void part_ended(Lpn lpn, Tick now);
  // The backend has completed the trim.
  void remove(CacheOperation& trim) { trims_.erase(trim.lpn.value); }

 private:
  // Returns the last trim that shares a page with [first, end), or null.
  CacheOperation* find(std::uint64_t first, std::uint64_t end) const;

  StorageDevice& backend_;
  std::map<std::uint64_t, CacheOperation*> trims_;  // by their first page
};

}  // namespace nandscape::controller

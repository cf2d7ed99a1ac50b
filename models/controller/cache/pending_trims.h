// SPDX-License-Identifier: Apache-2.0
// Trims of the host, from when they come until the backend has done them. One goes to the backend when nothing is under
// way in its range any more.
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

  // It waits for so many (`pending`) operations that are under way in its range, which no other pending trim overlaps.
  void add(CacheOperation& trim, Tick now);
  // An operation has ended that was under way when the trim of that page came, if there is one.
  void part_ended(Lpn lpn, Tick now);
  // The backend has done it.
  void remove(CacheOperation& trim) { trims_.erase(trim.lpn.value); }

 private:
  // The trim that has a page of [first, end), or null: the last one of several.
  CacheOperation* find(std::uint64_t first, std::uint64_t end) const;

  StorageDevice& backend_;
  std::map<std::uint64_t, CacheOperation*> trims_;  // by their first page
};

}  // namespace nandscape::controller

// SPDX-License-Identifier: Apache-2.0
// Flushes of the host that wait until what was dirty when they came has been written back. They go to the backend in
// the order in which they came.
#pragma once

#include <cstdint>

#include "controller/cache/cache_operation.h"
#include "core/ring.h"
#include "core/ticks.h"
#include "protocol/storage.h"

namespace nandscape::controller {

class PendingFlushes {
 public:
  explicit PendingFlushes(StorageDevice& backend) : backend_(backend) {}

  bool empty() const { return flushes_.empty(); }
  // Unless there is none: whether one waits for what became dirty at `order`.
  bool wait_for(std::uint64_t order) const { return last_barrier_ >= order; }

  // It waits for so many (`pending`) units that became dirty up to its `barrier`, all that those before it wait for
  // among them. Barriers never decrease.
  void add(CacheOperation& flush);
  // What became dirty at `order` no longer is: it was written back, with that status, or has gone.
  void count_clean(std::uint64_t order, AccessStatus status);
  void send_due(Tick now);

 private:
  // The first flush that waits for what became dirty at `order`, by its number.
  std::uint64_t first_waiting_for(std::uint64_t order);

  StorageDevice& backend_;
  // The `pending` of each counts what it waits for and those before it do not, so that one count changes with a unit.
  Ring<CacheOperation*> flushes_;
  std::uint64_t pending_ = 0;  // of all of them
  std::uint64_t last_barrier_ = 0;
};

}  // namespace nandscape::controller

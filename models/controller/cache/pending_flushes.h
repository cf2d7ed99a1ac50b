// SPDX-License-Identifier: Apache-2.0
// Host flushes that wait until the units that were dirty when they came have been written back. They are sent to the
// backend in the order in which they came.
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
  // Whether a flush waits for the unit that became dirty at `order`. A flush must be pending.
  bool wait_for(std::uint64_t order) const { return last_barrier_ >= order; }

  // Adds a flush that waits for `flush.pending` units that became dirty up to `flush.barrier`. These include all units
  // that earlier flushes wait for. Barriers never decrease.
  void add(CacheOperation& flush);
  // The unit that became dirty at `order` is dirty no longer: it was written back with that status, or was dropped.
  void count_clean(std::uint64_t order, AccessStatus status);
  void send_due(Tick now);

 private:
  // Returns the number of the first flush that waits for the unit that became dirty at `order`.
  std::uint64_t first_waiting_for(std::uint64_t order);

  StorageDevice& backend_;
  // Each flush's `pending` counts only the units that no earlier flush waits for, so that each unit changes one count.
  Ring<CacheOperation*> flushes_;
  std::uint64_t pending_ = 0;  // sum over all flushes
  std::uint64_t last_barrier_ = 0;
};

}  // namespace nandscape::controller

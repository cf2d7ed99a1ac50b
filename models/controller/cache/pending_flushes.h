// SPDX-License-Identifier: Apache-2.0
// Flushes of the host that wait until what was dirty when they came has been written back. They go to the backend in
// the order in which they came.
#pragma once

#include <cstdint>

#include "controller/cache/cache_operation.h"
#include "core/ticks.h"
#include "protocol/storage.h"

namespace nandscape::controller {

class PendingFlushes {
 public:
  explicit PendingFlushes(StorageDevice& backend) : backend_(backend) {}

  bool empty() const { return flushes_.empty(); }
  // Unless there is none: whether one waits for what became dirty at `order`.
  bool wait_for(std::uint64_t order) const { return flushes_.last()->barrier >= order; }

  // It waits for so many (`pending`) units that became dirty up to its `barrier`.
  void add(CacheOperation& flush) { flushes_.push(flush); }
  // What became dirty at `order` no longer is: it was written back, with that status, or has gone.
  void count_clean(std::uint64_t order, AccessStatus status);
  void send_due(Tick now);

 private:
  StorageDevice& backend_;
  OperationList flushes_;
};

}  // namespace nandscape::controller

// SPDX-License-Identifier: Apache-2.0
// Keeps accesses to the same unit in order. No write or trim overtakes an earlier one to the same unit, wherever the
// earlier one waits. This also holds for writes that a reset of the front end has abandoned: an abandoned write must
// not replace data written after the reset. Accesses in the range of a trim wait until it ends, so that the cache and
// the backend agree on the order.
#pragma once

#include <cstdint>
#include <map>

#include "controller/cache/cache_memory.h"
#include "controller/cache/cache_operation.h"
#include "core/key_counts.h"
#include "core/ring.h"
#include "core/ticks.h"
#include "protocol/access_queue.h"
#include "protocol/storage.h"

namespace nandscape::controller {

// A FIFO queue of writes that wait for room. It counts its writes by unit, since each new write checks whether an
// earlier one to its unit waits.
class WaitingWrites {
 public:
  bool empty() const { return queue_.empty(); }
  const PageAccess& front() const { return queue_.front(); }

  void push(PageAccess& write) {
    units_.add(write.lpn.value);
    queue_.push(write);
    ++size_;
  }
  PageAccess& pop() {
    PageAccess& write = queue_.pop();
    units_.remove(write.lpn.value);
    --size_;
    return write;
  }

  bool holds(Lpn lpn) const { return !empty() && units_.contains(lpn.value); }
  // Checks the pages of the range or the waiting writes, whichever are fewer.
  bool holds_part_of(const PageAccess& range) const {
    const std::uint64_t pages = pages_of(range);
    if (pages >= size_) return queue_.any([&](const PageAccess& write) { return overlap(range, write); });
    for (std::uint64_t k = 0; k < pages; ++k) {
      if (units_.contains(range.lpn.value + k)) return true;
    }
    return false;
  }

 private:
  AccessQueue queue_;
  KeyCounts units_;
  std::uint64_t size_ = 0;
};

// Host flushes that wait until the units that were dirty at the flush's arrival have been written back. Flushes are
// sent to the backend in the order of arrival.
class PendingFlushes {
 public:
  explicit PendingFlushes(StorageDevice& backend) : backend_(backend) {}

  bool empty() const { return flushes_.empty(); }
  // Whether a flush waits for the unit that became dirty at `order`. A flush must be pending.
  bool wait_for(std::uint64_t order) const { return last_barrier_ >= order; }

  // Adds a flush that waits for `flush.pending` units that became dirty up to `flush.barrier`. These include all units
  // that earlier flushes wait for. Barriers never decrease.
  void add(CacheOperation& flush);
  // Called when the unit that became dirty at `order` is no longer dirty: it was written back with `status`, or
  // dropped.
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

// Host trims from submission until the backend has completed them. A trim is sent to the backend once no operation is
// under way in its range.
class PendingTrims {
 public:
  explicit PendingTrims(StorageDevice& backend) : backend_(backend) {}

  bool empty() const { return trims_.empty(); }
  bool overlap_with(const PageAccess& access) const;

  // Adds a trim that waits for `trim.pending` operations under way in its range. No other pending trim may overlap it.
  void add(CacheOperation& trim, Tick now);
  // Called when an operation on the page has ended, since a pending trim may wait for it.
  void part_ended(Lpn lpn, Tick now);
  // Called when the backend has completed the trim.
  void remove(CacheOperation& trim) { trims_.erase(trim.lpn.value); }

 private:
  // Returns the last trim that shares a page with [first, end), or null.
  CacheOperation* find(std::uint64_t first, std::uint64_t end) const;

  StorageDevice& backend_;
  std::map<std::uint64_t, CacheOperation*> trims_;  // by their first page
};

class AccessOrder {
 public:
  // The arguments are the other places where earlier accesses may wait.
  AccessOrder(CacheMemory& memory, const WaitingWrites& waiting, const WritesThrough& writes_through,
              const PendingTrims& trims)
      : memory_(memory), waiting_(waiting), writes_through_(writes_through), trims_(trims) {}

  // Returns whether the access may proceed now. Otherwise it is held, and `release` admits it later.
  [[nodiscard]] bool admits(PageAccess& access);
  // Queues accesses that waited for a finished operation ahead of all held accesses. `release` checks them in order.
  void hold_first(AccessQueue accesses) { held_.prepend(accesses); }

  // Calls admit(access) for each held access that may now proceed. admit() may release further accesses and may submit
  // new ones.
  template <class Admit>
  void release(Admit admit) {
    if (held_.empty()) return;
    if (!releasing_.empty()) {
      release_again_ = true;
      return;
    }
    do {
      release_again_ = false;
      releasing_ = held_.take();
      // Each access is checked after all earlier ones.
      while (!releasing_.empty()) {
        PageAccess& access = releasing_.pop();
        comes_too_early(access) ? held_.push(access) : admit(access);
      }
    } while (release_again_);
  }

 private:
  // Whether the access must wait for an earlier one that shares a unit with it: any access waits for a trim, and a trim
  // waits for waiting writes.
  bool comes_too_early(const PageAccess& access);
  bool writes_wait(const PageAccess& range);

  CacheMemory& memory_;
  const WaitingWrites& waiting_;
  const WritesThrough& writes_through_;
  const PendingTrims& trims_;

  AccessQueue held_;       // accesses whose turn has not come yet
  AccessQueue releasing_;  // accesses taken from held_ that `release` is checking
  bool release_again_ = false;
};

}  // namespace nandscape::controller

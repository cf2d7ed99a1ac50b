// SPDX-License-Identifier: Apache-2.0
// Keeps the accesses to each mapping unit in order. A write or a trim never overtakes an earlier write or trim of the
// same unit, whatever the earlier access waits for. The rule also covers writes that the front end has abandoned in a
// reset, because such a write must not replace data that the host writes after the reset. All accesses to the range of
// a trim wait until the trim has completed, so that the cache and the backend execute them in the same order.
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

// A FIFO queue of the writes that wait for room in the cache. It counts its writes by unit, because each new write must
// check whether an earlier write to its unit is still waiting.
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
  // Returns whether any waiting write overlaps the range. Checks either the pages of the range or the waiting writes,
  // whichever are fewer.
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

// The host flushes that still wait for units to be written back. A flush waits for all units that were dirty when it
// arrived. Flushes are sent to the backend in their order of arrival.
class PendingFlushes {
 public:
  explicit PendingFlushes(StorageDevice& backend) : backend_(backend) {}

  bool empty() const { return flushes_.empty(); }
  // Returns whether any flush waits for the unit that was given the number `order` when it became dirty. At least one
  // flush must be pending.
  bool wait_for(std::uint64_t order) const { return last_barrier_ >= order; }

  // Adds a flush. It waits for `flush.pending` dirty units, whose numbers are at most `flush.barrier`; this includes
  // all units that earlier flushes wait for. The barrier must not be lower than that of the previous flush.
  void add(CacheOperation& flush);
  // Called when a unit is no longer dirty, because it has been written back with `status` or dropped. `order` is the
  // number that the unit was given when it became dirty.
  void count_clean(std::uint64_t order, AccessStatus status);
  void send_due(Tick now);

 private:
  // Returns the number, in `flushes_`, of the first flush that waits for the unit with the number `order`.
  std::uint64_t first_waiting_for(std::uint64_t order);

  StorageDevice& backend_;
  // The `pending` count of a flush covers only the units that no earlier flush waits for. Therefore a unit that becomes
  // clean changes the count of one flush only.
  Ring<CacheOperation*> flushes_;
  std::uint64_t pending_ = 0;  // sum of `pending` over all flushes
  std::uint64_t last_barrier_ = 0;
};

// The host trims that the backend has not yet completed. A trim is sent to the backend once no fetch, write-back or
// bypassing write is under way in its range.
class PendingTrims {
 public:
  explicit PendingTrims(StorageDevice& backend) : backend_(backend) {}

  bool empty() const { return trims_.empty(); }
  bool overlap_with(const PageAccess& access) const;

  // Adds a trim. It waits for `trim.pending` operations that are under way in its range, or is sent at once if that is
  // 0. Its range must not overlap that of another pending trim.
  void add(CacheOperation& trim, Tick now);
  // Called when an operation on the page has ended. Sends the trim that covers the page, if there is one and this was
  // the last operation that it waited for.
  void part_ended(Lpn lpn, Tick now);
  // Called when the backend has completed the trim. Forgets the trim.
  void remove(CacheOperation& trim) { trims_.erase(trim.lpn.value); }

 private:
  // Returns the last trim that overlaps the pages [first, end), or null if there is none.
  CacheOperation* find(std::uint64_t first, std::uint64_t end) const;

  StorageDevice& backend_;
  std::map<std::uint64_t, CacheOperation*> trims_;  // the key is the first page of the trim
};

class AccessOrder {
 public:
  // AccessOrder reads its arguments to find earlier accesses that still wait in the cache.
  AccessOrder(CacheMemory& memory, const WaitingWrites& waiting, const WritesThrough& writes_through,
              const PendingTrims& trims)
      : memory_(memory), waiting_(waiting), writes_through_(writes_through), trims_(trims) {}

  // Returns whether the access may proceed now. If not, the access is held, and a later call of release() admits it.
  [[nodiscard]] bool admits(PageAccess& access);
  // Puts `accesses` in front of all held accesses, because they have already waited for an operation that has just
  // ended. The next release() checks them in this order.
  void hold_first(AccessQueue accesses) { held_.prepend(accesses); }

  // Calls admit(access) for each held access that may now proceed. admit() may end operations that other held accesses
  // wait for, and may submit new accesses.
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
      // Accesses are popped in their order of submission, so each access is checked after all earlier accesses.
      while (!releasing_.empty()) {
        PageAccess& access = releasing_.pop();
        comes_too_early(access) ? held_.push(access) : admit(access);
      }
    } while (release_again_);
  }

 private:
  // Returns whether the access must wait for an earlier access that shares a unit with it. Every access except a flush
  // waits for an earlier trim and for earlier held accesses. A trim also waits for earlier writes that are waiting.
  bool comes_too_early(const PageAccess& access);
  bool writes_wait(const PageAccess& range);

  CacheMemory& memory_;
  const WaitingWrites& waiting_;
  const WritesThrough& writes_through_;
  const PendingTrims& trims_;

  AccessQueue held_;       // accesses that must still wait for an earlier access
  AccessQueue releasing_;  // accesses taken from held_ that release() is checking
  bool release_again_ = false;
};

}  // namespace nandscape::controller

// SPDX-License-Identifier: Apache-2.0
// What the cache asks of the backend, and the writes that go past the cache.
#pragma once

#include <array>
#include <cstdint>

#include "controller/cache/cached_unit.h"
#include "controller/flash_ops/page_buffers.h"
#include "core/random.h"

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

// Operations in the order in which they came.
class OperationList {
 public:
  bool empty() const { return first_ == nullptr; }
  CacheOperation* first() const { return first_; }
  CacheOperation* last() const { return last_; }

  void push(CacheOperation& operation) {
    operation.next_listed = nullptr;
    (first_ == nullptr ? first_ : last_->next_listed) = &operation;
    last_ = &operation;
  }
  void remove(CacheOperation& operation) {
    CacheOperation* before = nullptr;
    for (CacheOperation* other = first_; other != &operation; other = other->next_listed) before = other;
    (before == nullptr ? first_ : before->next_listed) = operation.next_listed;
    if (last_ == &operation) last_ = before;
  }

 private:
  CacheOperation* first_ = nullptr;
  CacheOperation* last_ = nullptr;
};

// At most one write goes past the cache to each unit.
class WritesThrough {
 public:
  CacheOperation* find(Lpn lpn) const {
    if (size_ == 0) return nullptr;
    CacheOperation* write = chains_[chain(lpn)];
    while (write != nullptr && write->lpn != lpn) write = write->next_listed;
    return write;
  }
  std::uint64_t count(Lpn first, std::uint64_t pages) const {
    std::uint64_t found = 0;
    if (size_ == 0) return 0;
    for (const CacheOperation* write : chains_) {
      for (; write != nullptr; write = write->next_listed) found += write->lpn.value - first.value < pages;
    }
    return found;
  }
  // Whether a later write waits for one of those in the range.
  bool writes_wait(const PageAccess& range) const {
    if (size_ == 0) return false;
    for (const CacheOperation* write : chains_) {
      for (; write != nullptr; write = write->next_listed) {
        if (overlap(range, *write) && write->waiting.any(is_write)) return true;
      }
    }
    return false;
  }
  void insert(CacheOperation& write) {
    write.next_listed = chains_[chain(write.lpn)];
    chains_[chain(write.lpn)] = &write;
    ++size_;
  }
  void erase(CacheOperation& write) {
    CacheOperation** link = &chains_[chain(write.lpn)];
    while (*link != &write) link = &(*link)->next_listed;
    *link = write.next_listed;
    --size_;
  }

 private:
  static std::size_t chain(Lpn lpn) { return mix64(lpn.value) % chains; }

  static constexpr std::size_t chains = 1024;

  std::array<CacheOperation*, chains> chains_{};
  std::size_t size_ = 0;
};

}  // namespace nandscape::controller

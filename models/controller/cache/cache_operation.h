// SPDX-License-Identifier: Apache-2.0
// Operations that the cache submits to the backend, and the writes that bypass the cache.
#pragma once

#include <cstddef>
#include <cstdint>

#include "controller/addresses/lpn_table.h"
#include "controller/cache/unit_table.h"
#include "controller/flash_ops/page_buffers.h"
#include "core/calendar.h"
#include "core/pool.h"
#include "protocol/storage.h"

namespace nandscape::controller {

// A group of write-backs that are sent to the backend at the same time, once the data of all units of the group have
// been read from DRAM.
struct WriteBackBatch {
  std::uint32_t preparing = 0;  // number of units whose data have not been read from DRAM yet
  AccessQueue ready;
};

struct CacheOperation : PageAccess {
  enum class Purpose : std::uint8_t {
    fetch,          // reads sectors of a unit into the cache
    read_through,   // a host read of a unit that is not cached
    write_through,  // a host write that bypasses the cache
    write_back,     // writes the dirty sectors of a unit
    flush,          // a host flush
    trim,           // a host trim
  };

  Purpose purpose = Purpose::fetch;
  PageAccess* host = nullptr;    // the host access that caused the operation, or null
  CachedUnit* unit = nullptr;    // for purpose fetch or write_back: the unit
  bool for_write_back = false;   // for purpose fetch: a write-back needs the sectors
  PageBuffer* buffer = nullptr;  // for purpose fetch or write_back: null if no data are kept
  // For purpose write_through: later accesses to the unit, which wait. For purpose write_back: the forced writes that
  // complete with it.
  AccessQueue waiting;
  // For purpose flush: the number of units still to be written back. For purpose trim: the number of operations under
  // way in its range.
  std::uint64_t pending = 0;
  // For purpose flush: the number that the latest dirty unit was given when it became dirty.
  std::uint64_t barrier = 0;
  // For purpose flush: the status of a failed write-back that the host does not know of yet.
  AccessStatus failure = AccessStatus::ok;
  CacheOperation* next_listed = nullptr;
};

// Makes the operation record its times in the time sheet of the access, if latencies are recorded. The two can share
// one sheet, because the access waits for this operation only.
inline void lend_times(PageAccess& access, CacheOperation& operation, Tick now) {
  if (access.times == nullptr) [[likely]]
    return;
  operation.times = access.times;
  operation.times->enter(LatencyPart::firmware, now);
}

// The host writes that bypass the cache and are under way in the backend. A unit has at most one such write.
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
  // Returns whether another write waits for one of the bypassing writes in the range.
  bool writes_wait(const PageAccess& range) const {
    return any(range.lpn, pages_of(range), [](const CacheOperation& write) { return write.waiting.any(is_write); });
  }
};

// Allocates the operations that are under way, and a data buffer for each operation that needs one.
class OperationPool {
 public:
  // `buffer_bytes` is the size of a buffer. It is 0 if the simulation keeps no data; operations then have no buffers.
  explicit OperationPool(std::uint32_t buffer_bytes) : buffers_(buffer_bytes, 0) {}

  CacheOperation& acquire(CacheOperation::Purpose purpose, AccessKind kind, Lpn lpn) {
    CacheOperation& operation = operations_.acquire();
    operation.purpose = purpose;
    operation.kind = kind;
    operation.lpn = lpn;
    return operation;
  }
  void give_buffer(CacheOperation& operation) {
    if (!buffers_.used()) return;
    operation.buffer = &buffers_.acquire();
    operation.data = operation.buffer->data.get();
  }
  void release(CacheOperation& operation) {
    if (operation.buffer != nullptr) buffers_.release(*operation.buffer);
    operations_.release(operation);
  }

  std::size_t in_use() const { return operations_.in_use(); }

 private:
  Pool<CacheOperation> operations_;
  PageBuffers buffers_;
};

// Counts the host accesses that the cache has accepted but not answered yet, and completes accesses to the client.
class HostAnswers {
 public:
  explicit HostAnswers(Calendar& calendar) : calendar_(calendar) {}

  void set_client(StorageClient& client) { client_ = &client; }
  void health_changed(Tick now) { client_->health_changed(now); }
  void background_work(bool under_way, Tick now) { client_->background_work(under_way, now); }

  void expect() { ++due_; }
  bool none_due() const { return due_ == 0; }

  // Schedules an event that completes the access at time `at`. The status of the access must be set.
  void answer(PageAccess& access, Tick at) { calendar_.schedule<&HostAnswers::answer_due>(at, *this, access); }
  void fail(PageAccess& read, Tick now) {
    fail_read(read);
    answer(read, now);
  }
  // Completes the access now. The client may submit its next access before this call returns.
  void complete(PageAccess& access, Tick now) {
    --due_;
    if (access.times != nullptr) [[unlikely]]
      access.times->enter(LatencyPart::firmware, now);
    client_->completed(access, now);
  }

 private:
  void answer_due(PageAccess& access) { complete(access, calendar_.now()); }

  Calendar& calendar_;
  StorageClient* client_ = nullptr;
  std::uint64_t due_ = 0;
};

}  // namespace nandscape::controller

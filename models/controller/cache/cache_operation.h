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

// Write-backs that are sent to the backend at the same instant, once the data of all of them have been read from DRAM.
struct WriteBackBatch {
  std::uint32_t preparing = 0;  // units whose data have not yet been read
  AccessQueue ready;
};

struct CacheOperation : PageAccess {
  enum class Purpose : std::uint8_t {
    fetch,          // reads sectors of a unit into the cache
    read_through,   // a host read of a unit that is not cached
    write_through,  // a host write that bypasses the cache
    write_back,     // the dirty sectors of a unit
    flush,          // a host flush
    trim,           // a host trim
  };

  Purpose purpose = Purpose::fetch;
  PageAccess* host = nullptr;               // the host access that it serves, or null
  CachedUnit* unit = nullptr;               // fetch and write_back
  bool for_write_back = false;              // fetch: for a write-back that lacks sectors
  PageBuffer* buffer = nullptr;             // fetch and write_back, when data are kept
  AccessQueue waiting;                      // write_through: accesses to the unit; write_back: writes that it completes
  std::uint64_t pending = 0;                // flush: units to be written back; trim: operations under way in its range
  std::uint64_t barrier = 0;                // flush: the order of the unit that became dirty last
  AccessStatus failure = AccessStatus::ok;  // flush: status of a failed write-back not yet reported to the host
  CacheOperation* next_listed = nullptr;
};

// Lends the access's latency times to the operation. The access waits only for this operation, so the times that the
// backend records are those of the access.
inline void lend_times(PageAccess& access, CacheOperation& operation, Tick now) {
  if (access.times == nullptr) [[likely]]
    return;
  operation.times = access.times;
  operation.times->enter(LatencyPart::firmware, now);
}

// Writes that bypass the cache, at most one to each unit.
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
  // Whether a later write waits for one of the writes in the range.
  bool writes_wait(const PageAccess& range) const {
    return any(range.lpn, pages_of(range), [](const CacheOperation& write) { return write.waiting.any(is_write); });
  }
};

// The operations under way, with data buffers for the operations that need one.
class OperationPool {
 public:
  // `buffer_bytes` is the size of a buffer, or 0 when the simulation keeps no data.
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

// Counts the host accesses that the cache has accepted and not yet answered, and sends the answers to the client.
class HostAnswers {
 public:
  explicit HostAnswers(Calendar& calendar) : calendar_(calendar) {}

  void set_client(StorageClient& client) { client_ = &client; }
  void health_changed(Tick now) { client_->health_changed(now); }

  void expect() { ++due_; }
  bool none_due() const { return due_ == 0; }

  // Completes the access at time `at`, in an event of its own. The access's status must be set.
  void answer(PageAccess& access, Tick at) { calendar_.schedule<&HostAnswers::answer_due>(at, *this, access); }
  void fail(PageAccess& read, Tick now) {
    fail_read(read);
    answer(read, now);
  }
  // Completes the access now. The client may submit its next access before this returns.
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

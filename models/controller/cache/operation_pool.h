// SPDX-License-Identifier: Apache-2.0
// The operations under way, with data buffers for the operations that need one.
#pragma once

#include <cstddef>
#include <cstdint>

#include "controller/cache/cache_operation.h"
#include "controller/flash_ops/page_buffers.h"
#include "core/pool.h"

namespace nandscape::controller {

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

}  // namespace nandscape::controller

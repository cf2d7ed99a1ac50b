// SPDX-License-Identifier: Apache-2.0
// The waiting ops of one kind, in a queue for each priority class. If the policy does not separate classes, all ops are
// in the first queue.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "controller/flash_ops/flash_op.h"

namespace nandscape::controller {

// Classes in the order in which a policy serves them now.
using ClassOrder = std::array<std::uint8_t, priority_classes>;
inline constexpr ClassOrder by_class = {0, 1, 2, 3};
// The first op of each class, or null.
using ClassHeads = std::array<const FlashOp*, priority_classes>;

class ClassQueues {
 public:
  explicit ClassQueues(bool separate) : used_(separate ? priority_classes : 1) {}

  std::size_t used() const { return used_; }
  OpQueue& operator[](std::size_t priority) { return queues_[priority]; }
  const OpQueue& operator[](std::size_t priority) const { return queues_[priority]; }
  OpQueue& of(const FlashOp& op) { return queues_[used_ == 1 ? 0 : static_cast<std::size_t>(op.priority)]; }

  bool empty() const { return first(by_class) == nullptr; }
  FlashOp* front(const ClassOrder& order) const {
    const OpQueue* const queue = first(order);
    return queue == nullptr ? nullptr : queue->front();
  }
  // The queue that holds the next op. There must be one.
  OpQueue& next(const ClassOrder& order) { return const_cast<OpQueue&>(*first(order)); }

  std::size_t size() const {
    std::size_t size = 0;
    for (std::size_t c = 0; c < used_; ++c) size += queues_[c].size();
    return size;
  }

 private:
  const OpQueue* first(const ClassOrder& order) const {
    for (std::size_t k = 0; k < used_; ++k) {
      if (const OpQueue& queue = queues_[order[k]]; !queue.empty()) return &queue;
    }
    return nullptr;
  }

  std::size_t used_;
  std::array<OpQueue, priority_classes> queues_;
};

}  // namespace nandscape::controller

// SPDX-License-Identifier: Apache-2.0
// Chooses which of a die's queues is served next and, in some policies, the order within the queues.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>

#include "controller/flash_ops/flash_op.h"
#include "core/archive.h"
#include "core/parameters.h"
#include "core/registry.h"

namespace nandscape::controller {

// The classes in the order in which a policy currently serves them.
using ClassOrder = std::array<std::uint8_t, priority_classes>;
inline constexpr ClassOrder by_class = {0, 1, 2, 3};
// The first op of each class, or null.
using ClassHeads = std::array<const FlashOp*, priority_classes>;

// The waiting ops of one kind, in a queue for each priority class. If the policy does not separate classes, all ops are
// in the first queue.
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
  // The queue that holds the next op. At least one op must be waiting.
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

// The ops that a die could start now.
struct DieCandidates {
  std::array<const FlashOp*, queue_kinds> first{};  // by kind: the op that would go first, or null
  bool collection_urgent = false;                   // the host has no block to write to on a plane of the die
  // The first host write whose plane has no free page for it; null if there is none.
  const FlashOp* without_place = nullptr;
  // The suspended program or erase, or null. While it is suspended, only host reads are candidates.
  const FlashOp* suspended = nullptr;

  const FlashOp* operator[](QueueKind kind) const { return first[static_cast<std::size_t>(kind)]; }
  bool any() const {
    return std::ranges::any_of(first, [](const FlashOp* op) { return op != nullptr; });
  }
};

class SchedulingPolicy {
 public:
  virtual ~SchedulingPolicy() = default;

  // Returns the kind served next; an op of that kind must be waiting. While an operation is suspended, returning none
  // resumes it. Called once for each decision. While a program is running and its die has room in the cache register,
  // choosing a kind that cannot join it sends nothing; the policy is called again when the die has changed.
  [[nodiscard]] virtual std::optional<QueueKind> choose(const DieCandidates& candidates, Tick now) const = 0;

  // Whether the policy keeps account of a die's commands. If so, each die has a policy object of its own, and all
  // functions below are called. If not, one object serves all dies, and only choose() is called.
  virtual bool keeps_account() const { return false; }

  // Inserts a new op into its queue. May change `rank`, which is initially the number of its arrival.
  virtual void insert(OpQueue& queue, FlashOp& op, Tick) { queue.push(op); }
  // Called when an op has entered its queue at a place that the policy does not choose.
  virtual void put_in(const FlashOp&) {}
  // Called when an op has left its queue without being sent to the die.
  virtual void withdrawn(const FlashOp&) {}

  // Whether host ops have a queue for each priority class, so that `queue` above holds ops of one class.
  virtual bool separates_classes() const { return false; }
  // Sets the order in which the classes of host reads or host writes are served. `first` holds the first op of each
  // class, or null.
  virtual void order_classes(QueueKind, const ClassHeads& /*first*/, ClassOrder&, Tick /*now*/) {}

  // Whether the host read may suspend the program or erase under way.
  [[nodiscard]] virtual bool may_suspend(const FlashOp& /*read*/, const FlashOp& /*under_way*/, Tick) const {
    return true;
  }
  // Called when the op is sent to the die; `left` are the remaining candidates.
  virtual void started(const FlashOp&, const DieCandidates& /*left*/, Tick) {}
  virtual void ended(const FlashOp&, Tick) {}

  // The number of ops served out of the policy's preferred order to prevent starvation.
  virtual std::uint64_t interventions() const { return 0; }

  // Saves or restores the policy's memory of the die's past. The die must be idle.
  virtual void persist(Archive&) {}
};

// Policies are constructed with the number of dies in the device.
using SchedulingRegistry = Registry<SchedulingPolicy, std::uint32_t>;
SchedulingRegistry& scheduling_registry();

// Configuration group `controller.scheduler`.
enum class Suspend { none, program, erase, program_erase };

struct SchedulerParameters {
  VariantChoice policy{"out_of_order", nullptr};
  Suspend suspend = Suspend::program_erase;
  std::uint32_t max_suspends = 0;
  double min_run_us = 0;
  bool multi_plane = true;
  bool cache_read = false;
  bool cache_program = false;
};
void describe(SchedulerParameters& p, ParameterVisitor& v);

}  // namespace nandscape::controller

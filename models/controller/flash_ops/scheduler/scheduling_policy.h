// SPDX-License-Identifier: Apache-2.0
// Chooses the queue of a die that is served next. Some policies also determine the order of the ops within a queue.
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

// The priority classes, in the order in which a policy currently serves them.
using ClassOrder = std::array<std::uint8_t, priority_classes>;
inline constexpr ClassOrder by_class = {0, 1, 2, 3};
// For each class, the first op of its queue, or null if the queue is empty.
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
  // Returns the queue that holds the op to be served next. At least one op must be waiting.
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
  std::array<const FlashOp*, queue_kinds> first{};  // for each kind, the op that would be served first, or null
  bool collection_urgent = false;                   // the host has no block to write to on one of the die's planes
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

  // Returns the kind of op that the die serves next; an op of that kind must be waiting. Returns nothing while an
  // operation is suspended in order to resume the operation. Called once for each decision. While a program is running
  // and the die has room in its cache register, only an op that can join the program is sent. If the policy chooses
  // another kind, nothing is sent, and the policy is called again when the state of the die has changed.
  [[nodiscard]] virtual std::optional<QueueKind> choose(const DieCandidates& candidates, Tick now) const = 0;
  // Whether choose() must also be called if the ops of only one kind wait. If not, these ops are served; while an
  // operation is suspended, waiting host reads are served, and the operation is resumed when none waits.
  virtual bool makes_every_decision() const { return true; }

  // Whether the policy keeps state about the commands of a die. If it does, each die has its own policy object, and all
  // functions below are called. Otherwise one object serves all dies, and only choose() is called.
  virtual bool keeps_account() const { return false; }

  // Inserts a new op into its queue. May change the op's `rank`, which is initially its arrival number.
  virtual void insert(OpQueue& queue, FlashOp& op, Tick) { queue.push(op); }
  // Called when an op has been put into its queue at a position that the policy does not choose, such as the front.
  virtual void put_in(const FlashOp&) {}
  // Called when an op has been removed from its queue without being sent to the die.
  virtual void withdrawn(const FlashOp&) {}

  // Whether host ops have one queue for each priority class. If so, `queue` above holds ops of a single class.
  virtual bool separates_classes() const { return false; }
  // Sets the order in which the classes of host reads or host writes are served. `first` holds the first op of each
  // class, or null for an empty queue.
  virtual void order_classes(QueueKind, const ClassHeads& /*first*/, ClassOrder&, Tick /*now*/) {}

  // Whether the host read may suspend the program or erase under way.
  [[nodiscard]] virtual bool may_suspend(const FlashOp& /*read*/, const FlashOp& /*under_way*/, Tick) const {
    return true;
  }
  // Called when the op is sent to the die. `left` holds the ops that the die could also have started.
  virtual void started(const FlashOp&, const DieCandidates& /*left*/, Tick) {}
  virtual void ended(const FlashOp&, Tick) {}

  // The number of ops that have been served against the policy's order of preference in order to prevent starvation.
  virtual std::uint64_t interventions() const { return 0; }

  // Saves or restores what the policy remembers about the earlier commands of the die. The die must be idle.
  virtual void persist(Archive&) {}
};

// Constructs policies by name. The argument of each constructor is the number of dies in the device.
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

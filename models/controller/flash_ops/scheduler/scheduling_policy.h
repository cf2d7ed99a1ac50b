// SPDX-License-Identifier: Apache-2.0
// Which of a die's queues is served next, and, where a policy cares, the order within them. Variants: fifo,
// out_of_order, read_first, priority, flin.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <optional>

#include "controller/flash_ops/flash_op.h"
#include "controller/flash_ops/queue_kind.h"
#include "controller/flash_ops/scheduler/class_queues.h"
#include "core/archive.h"
#include "core/registry.h"

namespace nandscape::controller {

// What a die could start now.
struct DieCandidates {
  std::array<const FlashOp*, queue_kinds> first{};  // of each kind the one that would go first, or null
  bool collection_urgent = false;                   // a plane of the die has run out of blocks to write to
  // The first write of the host among those whose plane has no free page for them; null: each has one.
  const FlashOp* without_place = nullptr;
  // The program or erase that is suspended; then only reads of the host are candidates. Null: none is.
  const FlashOp* suspended = nullptr;

  const FlashOp* operator[](QueueKind kind) const { return first[static_cast<std::size_t>(kind)]; }
  bool any() const {
    return std::ranges::any_of(first, [](const FlashOp* op) { return op != nullptr; });
  }
};

class SchedulingPolicy {
 public:
  virtual ~SchedulingPolicy() = default;

  // The kind served next, one of which something waits. While an operation is suspended, none means that it is resumed.
  // Asked once for each decision. While a program is going on and its die has room in its cache register, a kind that
  // cannot join it means that nothing does; the policy is asked again when something has changed.
  virtual std::optional<QueueKind> choose(const DieCandidates& candidates, Tick now) const = 0;

  // Whether the policy keeps account of a die. If so, each die has a policy of its own, and all that follows is called;
  // if not, one serves all dies and is asked for nothing but choose().
  virtual bool keeps_account() const { return false; }

  // Puts an op that has come into its queue. `rank` may be set; it is the number of its arrival.
  virtual void insert(OpQueue& queue, FlashOp& op, Tick) { queue.push(op); }
  // An op has come into its queue at a place that is not the policy's to choose.
  virtual void put_in(const FlashOp&) {}
  // An op has left its queue, and does not go to the die.
  virtual void withdrawn(const FlashOp&) {}

  // Whether ops of the host wait in a queue for each priority class, so that `queue` above holds one class alone.
  virtual bool separates_classes() const { return false; }
  // Which class of reads or writes of the host goes first, which next; `first` are the first ops of each, or null.
  virtual void order_classes(QueueKind, const ClassHeads& /*first*/, ClassOrder&, Tick /*now*/) {}

  // Whether the read of the host may interrupt the program or erase that is under way.
  virtual bool may_suspend(const FlashOp& /*read*/, const FlashOp& /*under_way*/, Tick) const { return true; }
  // The op goes to the die; `left` are the candidates that stay.
  virtual void started(const FlashOp&, const DieCandidates& /*left*/, Tick) {}
  virtual void ended(const FlashOp&, Tick) {}

  // How often one went whose turn it was not by the order that the policy prefers, so that it would not starve.
  virtual std::uint64_t interventions() const { return 0; }

  // What it knows of the die's past, while the die has nothing to do.
  virtual void persist(Archive&) {}
};

// What a policy is told is how many dies the device has.
using SchedulingRegistry = Registry<SchedulingPolicy, std::uint32_t>;
const SchedulingRegistry& scheduling_registry();

}  // namespace nandscape::controller

// SPDX-License-Identifier: Apache-2.0
// Which of a die's queues is served next. Variants: fifo, out_of_order.
#pragma once

#include <array>
#include <cstdint>
#include <optional>

#include "controller/scheduler/flash_transaction.h"
#include "core/registry.h"

namespace nandscape {

enum class QueueKind : std::uint8_t { host_read, host_write, gc_read, gc_write, gc_erase };
inline constexpr std::size_t queue_kinds = 5;

// What a die could start now: the oldest transaction of each kind that can go, or null.
struct DieCandidates {
  std::array<const FlashTransaction*, queue_kinds> oldest{};
  bool collection_urgent = false;  // a plane of the die has run out of blocks to write to

  const FlashTransaction* operator[](QueueKind kind) const { return oldest[static_cast<std::size_t>(kind)]; }
};

class SchedulingPolicy {
 public:
  virtual ~SchedulingPolicy() = default;
  virtual std::optional<QueueKind> choose(const DieCandidates& candidates) const = 0;
};

using SchedulingRegistry = Registry<SchedulingPolicy>;
const SchedulingRegistry& scheduling_registry();

}  // namespace nandscape

// SPDX-License-Identifier: Apache-2.0
// The queues that a die's commands wait in, and which purpose waits where. Background work is whatever the device does
// of its own accord; a new purpose of it needs no more than its line here.
#pragma once

#include <cstddef>
#include <cstdint>

#include "controller/scheduler/flash_transaction.h"

namespace nandscape {

enum class QueueKind : std::uint8_t { host_read, host_write, background_read, background_write, erase };
inline constexpr std::size_t queue_kinds = 5;

constexpr QueueKind queue_of(Purpose purpose) {
  switch (purpose) {
    case Purpose::host_read:
    case Purpose::recovery_read:
    case Purpose::map_read:
    case Purpose::merge_read: return QueueKind::host_read;
    // Translation pages wait for room as the host does; collection does not wait behind them.
    case Purpose::map_write:
    case Purpose::host_write: return QueueKind::host_write;
    case Purpose::map_fetch:
    case Purpose::scrub_read:
    case Purpose::copy_read:
    case Purpose::gc_read: return QueueKind::background_read;
    case Purpose::journal_write:
    case Purpose::gc_write:
    case Purpose::copyback: return QueueKind::background_write;
    case Purpose::gc_erase: break;
  }
  return QueueKind::erase;
}

}  // namespace nandscape

// SPDX-License-Identifier: Apache-2.0
// The kinds of queues for a die's commands, and the positions in them at which an op may enter. Background work is all
// work that the drive does on its own.
#pragma once

#include <cstddef>
#include <cstdint>

namespace nandscape::controller {

enum class QueueKind : std::uint8_t { host_read, host_write, background_read, background_write, erase };
inline constexpr std::size_t queue_kinds = 5;

constexpr bool is_background(QueueKind kind) { return kind >= QueueKind::background_read; }

enum class QueuePosition : std::uint8_t {
  by_policy,  // a new op goes where the policy puts it
  // A write that already has its place, and that other writes of its plane wait for, goes before all of its kind.
  first,
  // A read that is sent again goes before all that came later. Otherwise new reads that join retries could delay older
  // reads for ever.
  again,
  // Reads, features and resets for a locked die go behind each other. A read that comes early enough is sent as a cache
  // read behind the one before it. A reset ends at once if it finds nothing to abort.
  under_lock,
};

}  // namespace nandscape::controller

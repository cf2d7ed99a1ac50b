// SPDX-License-Identifier: Apache-2.0
// The kinds of queues for a die's commands. Background work is all work that the drive does on its own.
#pragma once

#include <cstddef>
#include <cstdint>

namespace nandscape::controller {

enum class QueueKind : std::uint8_t { host_read, host_write, background_read, background_write, erase };
inline constexpr std::size_t queue_kinds = 5;

constexpr bool is_background(QueueKind kind) { return kind >= QueueKind::background_read; }

}  // namespace nandscape::controller

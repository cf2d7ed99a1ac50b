// SPDX-License-Identifier: Apache-2.0
// The priority classes of NVMe submission queues. Their values are those of the field QPRIO in the command Create I/O
// Submission Queue.
#pragma once

#include <cstddef>
#include <cstdint>

namespace nandscape {

enum class PriorityClass : std::uint8_t { urgent, high, medium, low };
inline constexpr std::size_t priority_classes = 4;

}  // namespace nandscape

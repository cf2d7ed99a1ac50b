// SPDX-License-Identifier: Apache-2.0
// The number by which observers identify a command from the driver to the dies. A submission queue is first in, first
// out, so driver and controller can each count its commands from the queue's creation and get the same number.
#pragma once

#include <cstdint>

namespace nandscape {

// Returns the number of the `nth` command of a queue, counted from 1. It is never 0, which means no command.
constexpr std::uint64_t command_number(std::uint16_t queue, std::uint64_t nth) {
  return std::uint64_t{queue} << 48 | nth;
}

}  // namespace nandscape

// SPDX-License-Identifier: Apache-2.0
// The number that identifies a command for observers, all the way from the driver to the dies. Since a submission queue
// is first in, first out, the driver and the controller can each count the commands of a queue from its creation, and
// arrive at the same number.
#pragma once

#include <cstdint>

namespace nandscape {

// Returns the number of the `nth` command of a queue. `nth` is counted from 1. The result is never 0, because 0 means
// that there is no command.
constexpr std::uint64_t command_number(std::uint16_t queue, std::uint64_t nth) {
  return std::uint64_t{queue} << 48 | nth;
}

}  // namespace nandscape

// SPDX-License-Identifier: Apache-2.0
// By what those who look on know a command from the driver to the dies. A submission queue is first in, first out, so
// that driver and controller count its commands alike, each for itself, from its creation on.
#pragma once

#include <cstdint>

namespace nandscape {

// Of the command that is the `nth` of its queue, counted from 1. Never 0, which stands for none.
constexpr std::uint64_t command_number(std::uint16_t queue, std::uint64_t nth) {
  return std::uint64_t{queue} << 48 | nth;
}

}  // namespace nandscape

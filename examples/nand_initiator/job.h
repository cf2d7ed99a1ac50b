// SPDX-License-Identifier: Apache-2.0
// The commands that both initiators send to a die, and the times recorded for each command.
#pragma once

#include <array>
#include <cstdint>

#include "core/ticks.h"
#include "protocol/nand_command.h"

inline constexpr std::uint32_t page_bytes = 4096;

struct Step {
  nandscape::NandOperation operation;
  std::uint32_t page;
};
inline constexpr std::array<Step, 6> steps{{{nandscape::NandOperation::erase, 0},
                                            {nandscape::NandOperation::program, 0},
                                            {nandscape::NandOperation::program, 1},
                                            {nandscape::NandOperation::read, 1},
                                            {nandscape::NandOperation::read, 0},
                                            {nandscape::NandOperation::erase, 0}}};

struct Times {
  nandscape::Tick begin_request = 0;
  nandscape::Tick end_request = 0;     // by phases only
  nandscape::Tick begin_response = 0;  // by phases only
  nandscape::Tick end_response = 0;
};

// Returns the command for a step. All bytes of a programmed page have the page's number as their value.
inline nandscape::NandCommand command_of(const Step& step, std::byte* data) {
  nandscape::NandCommand command;
  command.operation = step.operation;
  command.page = step.page;
  command.bytes = step.operation == nandscape::NandOperation::erase ? 0 : page_bytes;
  command.data = data;
  return command;
}

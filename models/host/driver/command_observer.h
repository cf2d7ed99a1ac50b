// SPDX-License-Identifier: Apache-2.0
// Interface of an observer of I/O commands. The driver calls it for each command after it has handled the command's
// completion.
#pragma once

#include <cstdint>

#include "core/ticks.h"
#include "host/workloads/workload.h"
#include "protocol/nvme.h"

namespace nandscape::host {

struct CommandSpan {
  RequestKind kind;
  nvme::Status status;
  std::uint16_t queue;
  std::uint64_t number;  // number of the command within the simulation, see command_number.h
  Lba first;             // in sectors of 512 bytes
  std::uint64_t sectors;
  Tick begin;  // time at which the driver put the command into its submission queue
  Tick end;
};

class CommandObserver {
 public:
  virtual void command_ended(const CommandSpan& command) = 0;

 protected:
  ~CommandObserver() = default;
};

}  // namespace nandscape::host

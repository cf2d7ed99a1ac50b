// SPDX-License-Identifier: Apache-2.0
// Watches the commands between the scheduler and the dies. Each call comes at the phase, when the die has changed and
// before the scheduler sends the next command because of it. Commands that a reset aborts have no response.
#pragma once

#include "controller/flash_ops/scheduler/die_machine.h"
#include "core/ids.h"

namespace nandscape::controller {

class DieProbe {
 public:
  virtual void request_begins(ChannelId channel, const DieMachine& die, const NandCommand& command, Tick now) = 0;
  // Not called for cache reads, nor for commands that are answered at once.
  virtual void request_ended(ChannelId channel, const DieMachine& die, const NandCommand& command, Tick now) = 0;
  virtual void response_begins(ChannelId channel, const DieMachine& die, const NandCommand& command, Tick now) = 0;
  virtual void response_ended(ChannelId channel, const DieMachine& die, const NandCommand& command, Tick now) = 0;

 protected:
  ~DieProbe() = default;
};

}  // namespace nandscape::controller

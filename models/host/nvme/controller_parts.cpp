// SPDX-License-Identifier: Apache-2.0
#include "host/nvme/controller_parts.h"

#include "host/nvme/command_set.h"

namespace nandscape::host {

void ControllerParts::finish(Command& command) {
  if (command.queue != 0) health.busy().end(calendar.now());
  // The command keeps its content until its slot is taken again, which complete() does not do.
  commands.release(command);
  if (command.detached) [[unlikely]]
    return;
  complete(command);
}

void ControllerParts::detach(Command& command, nvme::Status status) {
  command.status = status;
  complete(command);
  command.detached = true;
}

inline void ControllerParts::complete(Command& command) {
  if (command.set == nullptr || command.status != nvme::Status::success) [[unlikely]]
    return complete_other(command);
  health.counters().count(command.set->traffic(command.entry.opcode), command.bytes / sector_bytes);
  post(command, nvme::Status::success);
}

void ControllerParts::complete_other(Command& command) {
  NvmeCounters& counters = health.counters();
  if (command.set == nullptr) {
    ++counters.admin_commands;
  } else {
    counters.count(command.set->traffic(command.entry.opcode), 0);
  }
  if (command.status != nvme::Status::success) {
    ++counters.failed_commands;
    health.record_error(command, command.status);
  }
  post(command, command.status);
}

inline void ControllerParts::post(const Command& command, nvme::Status status) {
  command.submission_queue->give_back_id(command.entry.command_id);
  completions.post(command, status);
}

}  // namespace nandscape::host

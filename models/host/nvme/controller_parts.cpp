// SPDX-License-Identifier: Apache-2.0
#include "host/nvme/controller_parts.h"

namespace nandscape::host {

void ControllerParts::complete(Command& command) {
  NvmeCounters& counters = health.counters();
  const auto opcode = static_cast<nvme::IoOpcode>(command.entry.opcode);
  if (command.queue == 0) {
    ++counters.admin_commands;
  } else if (opcode == nvme::IoOpcode::read) {
    ++counters.read_commands;
  } else if (opcode == nvme::IoOpcode::write) {
    ++counters.write_commands;
  } else {
    ++counters.other_io_commands;
  }
  if (command.status != nvme::Status::success) [[unlikely]] {
    ++counters.failed_commands;
    health.record_error(command, command.status);
  } else if (command.queue != 0) {
    if (opcode == nvme::IoOpcode::read) counters.sectors_read += command.bytes / sector_bytes;
    if (opcode == nvme::IoOpcode::write) counters.sectors_written += command.bytes / sector_bytes;
  }
  queues.submission[command.queue].give_back_id(command.entry.command_id);
  completions.post(command);
}

}  // namespace nandscape::host

// SPDX-License-Identifier: Apache-2.0
#include "host/nvme/controller_parts.h"

#include "host/nvme/command_set.h"

namespace nandscape::host {

void ControllerParts::finish(Command& command) {
  if (command.queue != 0) health.busy().end(calendar.now());
  // The command keeps its content until its slot is taken again, which complete() does not do.
  commands.release(command);
  if (!command.detached) complete(command);
}

void ControllerParts::detach(Command& command, nvme::Status status) {
  command.status = status;
  complete(command);
  command.detached = true;
}

// Counts the command in the statistics, frees its identifier, and posts its completion to the host.
inline void ControllerParts::complete(Command& command) {
  NvmeCounters& counters = health.counters();
  const bool ok = command.status == nvme::Status::success;
  const std::uint64_t sectors = ok ? command.bytes / sector_bytes : 0;
  if (command.set == nullptr) {
    ++counters.admin_commands;
  } else {
    switch (command.set->traffic(command.entry)) {
      case HostTraffic::read:
        ++counters.read_commands;
        counters.sectors_read += sectors;
        break;
      case HostTraffic::write:
        ++counters.write_commands;
        counters.sectors_written += sectors;
        break;
      case HostTraffic::none: ++counters.other_io_commands; break;
    }
  }
  if (!ok) [[unlikely]] {
    ++counters.failed_commands;
    health.record_error(command, command.status);
  }
  command.submission_queue->give_back_id(command.entry.command_id);
  completions.post(command);
}

}  // namespace nandscape::host

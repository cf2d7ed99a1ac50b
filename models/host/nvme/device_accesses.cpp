// SPDX-License-Identifier: Apache-2.0
#include "host/nvme/device_accesses.h"

#include <utility>

#include "host/nvme/command_set.h"

namespace nandscape::host {

namespace {

nvme::Status status_of(AccessStatus status) {
  switch (status) {
    case AccessStatus::ok: return nvme::Status::success;
    case AccessStatus::unrecovered_read_error: return nvme::Status::unrecovered_read_error;
    case AccessStatus::write_fault: return nvme::Status::write_fault;
    case AccessStatus::write_protected: return nvme::Status::namespace_write_protected;
  }
  return nvme::Status::internal_error;
}

}  // namespace

CommandAccess& DeviceAccesses::make(Command& command, AccessKind kind, std::uint64_t lpn) {
  CommandAccess& access = parts_.accesses.acquire();
  access.kind = kind;
  access.status = AccessStatus::ok;
  access.force_unit_access = false;
  access.deallocates = false;
  access.request = command.number;
  access.stream = static_cast<std::uint16_t>(command.queue - 1);
  access.priority = parts_.queues.submission[command.queue].priority;
  access.first_sector = 0;
  access.sector_count = 0;
  access.lpn = Lpn(lpn);
  access.page_count = 1;
  access.data = nullptr;
  access.next = nullptr;
  access.command = &command;
  access.transfers = 0;
  access.times = nullptr;
  if (command.times != nullptr) [[unlikely]]
    give_times(access);
  return access;
}

CommandAccess& DeviceAccesses::make_transfer(Command& command, AccessKind kind, std::uint64_t lpn, std::uint32_t first,
                                             std::uint32_t sectors) {
  CommandAccess& access = make(command, kind, lpn);
  access.first_sector = static_cast<std::uint16_t>(first);
  access.sector_count = static_cast<std::uint16_t>(sectors);
  if (parts_.keep_data) {
    if (access.buffer == nullptr) access.buffer = std::make_unique<std::byte[]>(parts_.device.page_bytes());
    access.data = access.buffer.get();
  }
  return access;
}

void DeviceAccesses::submit(CommandAccess& access) {
  access.command->data_given = true;
  if (access.times != nullptr) [[unlikely]]
    access.times->enter(LatencyPart::firmware, parts_.calendar.now());
  ++parts_.health.counters().page_accesses;
  parts_.device.submit(access, parts_.calendar.now());
}

void DeviceAccesses::completed(CommandAccess& access) {
  Command& command = *access.command;
  if (access.times != nullptr) [[unlikely]]
    access.times->enter(LatencyPart::link, parts_.calendar.now());
  if (access.status != AccessStatus::ok) command.fail(status_of(access.status));
  command.set->accessed(access);
}

void DeviceAccesses::give_times(CommandAccess& access) {
  if (access.sheet == nullptr) access.sheet = std::make_unique<TimeSheet>();
  access.times = access.sheet.get();
  *access.times = *access.command->times;
}

// Each access that ends overwrites the command's sheet, so the last access, for which the command waited, determines
// it. The sheet of a detached command may belong to another command by now.
void DeviceAccesses::take_times(CommandAccess& access) {
  const TimeSheet& times = *std::exchange(access.times, nullptr);
  if (!access.command->detached) *access.command->times = times;
}

}  // namespace nandscape::host

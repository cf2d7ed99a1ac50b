// SPDX-License-Identifier: Apache-2.0
#include "host/nvme/device_accesses.h"

#include <utility>

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

void DeviceAccesses::end(CommandAccess& access) {
  leave(access);
  release(access);
}

void DeviceAccesses::fail_command(const CommandAccess& access) { access.command->fail(status_of(access.status)); }

void DeviceAccesses::provide_buffer(CommandAccess& access) {
  if (access.buffer == nullptr) access.buffer = std::make_unique<std::byte[]>(parts_.device.page_bytes());
  access.data = access.buffer.get();
}

void DeviceAccesses::give_times(CommandAccess& access) {
  if (access.sheet == nullptr) access.sheet = std::make_unique<TimeSheet>();
  access.times = access.sheet.get();
  *access.times = *access.command->times;
}

// Copies the time sheet of an access to its command. Each access that ends overwrites the command's sheet, so the sheet
// of the last access remains, for which the command waited. The sheet of a detached command is not written, because it
// may already belong to another command.
void DeviceAccesses::take_times(CommandAccess& access) {
  const TimeSheet& times = *std::exchange(access.times, nullptr);
  if (!access.command->detached) *access.command->times = times;
}

}  // namespace nandscape::host

// SPDX-License-Identifier: Apache-2.0
// Makes, submits and ends the accesses of commands to the storage device.
#pragma once

#include "host/nvme/command_set.h"
#include "host/nvme/controller_parts.h"

namespace nandscape::host {

class DeviceAccesses {
 public:
  explicit DeviceAccesses(ControllerParts& parts) : parts_(parts) {}

  // Returns an access without data to page `lpn`.
  CommandAccess& make(Command& command, AccessKind kind, std::uint64_t lpn) { return make(command, kind, lpn, 0, 0); }
  // Returns an access to `sectors` sectors of page `lpn`, beginning with sector `first` of the page. The access has a
  // buffer if the simulation keeps data.
  CommandAccess& make_transfer(Command& command, AccessKind kind, std::uint64_t lpn, std::uint32_t first,
                               std::uint32_t sectors) {
    CommandAccess& access = make(command, kind, lpn, first, sectors);
    if (parts_.keep_data) [[unlikely]]
      provide_buffer(access);
    return access;
  }
  // Submits an access that does not wait for other accesses of its command.
  void submit(CommandAccess& access) { submit(access, CommandPlace::beside); }
  // Submits an access that has waited until an earlier access of its command completed. If the command has no earlier
  // access, this function equals submit().
  void submit_next(CommandAccess& access) { submit(access, CommandPlace::after); }
  // Call when the device has completed an access. Passes the access to the command set of its command.
  void completed(CommandAccess& access) {
    if (access.times != nullptr) [[unlikely]]
      access.times->enter(LatencyPart::link, parts_.calendar.now());
    if (access.status != AccessStatus::ok) [[unlikely]]
      fail_command(access);
    access.command->set->accessed(access);
  }

  // Ends an access, which is one of the command's pending parts, and frees it. Equivalent to leave() and release().
  void end(CommandAccess& access);
  // Ends an access for its command but does not free it, because the link may still read the buffer of the access.
  void leave(CommandAccess& access) {
    if (access.times != nullptr) [[unlikely]]
      take_times(access);
    parts_.one_ended(*access.command);
  }
  // Frees an access. If leave() has not been called for it, the caller must make another access that takes its place
  // among the command's pending parts.
  void release(CommandAccess& access) {
    if (access.times != nullptr) [[unlikely]]
      take_times(access);
    parts_.accesses.release(access);
  }

 private:
  // `place` is the place of the access unless it is the first one of its command.
  void submit(CommandAccess& access, CommandPlace place) {
    const Tick now = parts_.calendar.now();
    access.place = access.command->data_given ? place : CommandPlace::first;
    access.command->data_given = true;
    if (access.times != nullptr) [[unlikely]]
      access.times->enter(LatencyPart::firmware, now);
    ++parts_.health.counters().page_accesses;
    parts_.device.submit(access, now);
  }
  CommandAccess& make(Command& command, AccessKind kind, std::uint64_t lpn, std::uint32_t first,
                      std::uint32_t sectors) {
    CommandAccess& access = parts_.accesses.acquire();
    access.kind = kind;
    access.status = AccessStatus::ok;
    access.force_unit_access = false;
    access.deallocates = false;
    access.stream = static_cast<std::uint16_t>(command.queue - 1);
    access.priority = command.submission_queue->priority;
    access.first_sector = static_cast<std::uint16_t>(first);
    access.sector_count = static_cast<std::uint16_t>(sectors);
    access.lpn = Lpn(lpn);
    access.page_count = 1;
    access.data = nullptr;
    access.request = command.number;
    access.next = nullptr;
    access.times = nullptr;
    access.command = &command;
    access.transfers = 0;
    if (command.times != nullptr) [[unlikely]]
      give_times(access);
    return access;
  }
  void provide_buffer(CommandAccess& access);
  static void fail_command(const CommandAccess& access);
  // give_times() gives the access a copy of its command's time sheet. take_times() copies the access's time sheet back
  // to the command.
  static void give_times(CommandAccess& access);
  static void take_times(CommandAccess& access);

  ControllerParts& parts_;
};

}  // namespace nandscape::host

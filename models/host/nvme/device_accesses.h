// SPDX-License-Identifier: Apache-2.0
// The accesses of commands to the storage device.
#pragma once

#include "host/nvme/controller_parts.h"

namespace nandscape::host {

class DeviceAccesses {
 public:
  explicit DeviceAccesses(ControllerParts& parts) : parts_(parts) {}

  // Returns an access without data to page `lpn`.
  CommandAccess& make(Command& command, AccessKind kind, std::uint64_t lpn);
  // Returns an access to `sectors` of page `lpn`, from its sector `first` onward. It has a buffer if the simulation
  // keeps data.
  CommandAccess& make_transfer(Command& command, AccessKind kind, std::uint64_t lpn, std::uint32_t first,
                               std::uint32_t sectors);
  void submit(CommandAccess& access);
  // Call when the device has completed an access.
  void completed(CommandAccess& access);

  // Ends an access, which is one of the command's pending parts: leave() and release().
  void end(CommandAccess& access) {
    leave(access);
    release(access);
  }
  // Ends the access for its command only; the link may still read the access's buffer.
  void leave(CommandAccess& access) {
    if (access.times != nullptr) [[unlikely]]
      take_times(access);
    parts_.one_ended(*access.command);
  }
  // Frees an access. If leave() was not called, another access must take its place among the command's pending parts.
  void release(CommandAccess& access) {
    if (access.times != nullptr) [[unlikely]]
      take_times(access);
    parts_.accesses.release(access);
  }

 private:
  // give_times() starts an access's own time sheet as a copy of its command's. take_times() copies it back.
  static void give_times(CommandAccess& access);
  static void take_times(CommandAccess& access);

  ControllerParts& parts_;
};

}  // namespace nandscape::host

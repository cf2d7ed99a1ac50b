// SPDX-License-Identifier: Apache-2.0
// Matches asynchronous events with the Asynchronous Event Request commands of the host. Events and commands may wait
// for each other. After an event has been reported, no event of the same type is reported until the host reads the log
// page that belongs to the event.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <vector>

#include "host/nvme/controller_parts.h"

namespace nandscape::host {

class AsyncEvents {
 public:
  static constexpr std::uint32_t limit = 4;  // maximum number of outstanding requests, AERL + 1

  explicit AsyncEvents(ControllerParts& parts) : parts_(parts) {}

  void request(Command& command);
  // Removes an aborted request.
  void forget(const Command& command) { std::erase(requests_, &command); }
  // Reports an event, or stores it until the host sends a request. Ignores the event if an event of this type already
  // waits or has been reported and its log page has not been read. `type` and `information` have the values of the
  // fields in dword 0 of the completion. `page` is the log page that belongs to the event.
  void happened(std::uint32_t type, std::uint32_t information, nvme::LogPage page);
  // Call when the host has read the log page `page` with Retain Asynchronous Event cleared.
  void log_read(nvme::LogPage page);
  void reset();

 private:
  struct Type {
    bool silent = false;
    std::optional<std::uint32_t> waiting;  // dword 0 of the completion that will report the event
    nvme::LogPage page{};
  };

  void report();

  ControllerParts& parts_;
  std::vector<Command*> requests_;
  std::array<Type, 2> types_;  // indexed by the event type: error (0) or SMART (1)
};

}  // namespace nandscape::host

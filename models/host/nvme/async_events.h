// SPDX-License-Identifier: Apache-2.0
// Matches asynchronous events with Asynchronous Event Request commands; either may wait for the other. After an event
// is reported, its type stays silent until the host reads the log page that belongs to it.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <vector>

#include "host/nvme/controller_parts.h"

namespace nandscape::host {

class AsyncEvents {
 public:
  static constexpr std::uint32_t limit = 4;  // AERL + 1

  explicit AsyncEvents(ControllerParts& parts) : parts_(parts) {}

  void request(Command& command);
  // Removes an aborted request.
  void forget(const Command& command) { std::erase(requests_, &command); }
  // `type` and `information` as in completion dword 0.
  void happened(std::uint32_t type, std::uint32_t information, nvme::LogPage page);
  // Call when the log page was read without Retain Asynchronous Event.
  void log_read(nvme::LogPage page);
  void reset();

 private:
  struct Type {
    bool silent = false;
    std::optional<std::uint32_t> waiting;  // dword 0 of the event to report
    nvme::LogPage page{};
  };

  void report();

  ControllerParts& parts_;
  std::vector<Command*> requests_;
  std::array<Type, 2> types_;  // error and SMART
};

}  // namespace nandscape::host

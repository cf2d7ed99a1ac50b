// SPDX-License-Identifier: Apache-2.0
// The time sheets of commands between the host and the front end. The two identify a command by its queue and its
// command identifier. The driver opens and closes a sheet. In between, the front end records the parts of the latency
// that the command passes through. If a front end records nothing, all time is charged to the part with which the
// driver opened the sheet.
#pragma once

#include <cstdint>
#include <vector>

#include "protocol/time_sheet.h"

namespace nandscape {

class CommandTimes {
 public:
  // Makes room for the sheets of a queue. Call this function before the first sheet of the queue is opened. Command
  // identifiers of the queue must be less than `commands`.
  void reserve(std::uint16_t queue, std::uint32_t commands) {
    if (queues_.size() <= queue) queues_.resize(std::size_t{queue} + 1);
    queues_[queue].resize(commands);
  }

  // Opens the sheet of a command whose time is counted from `start`.
  void open(std::uint16_t queue, std::uint16_t command_id, Tick start) {
    Entry& entry = place(queue, command_id);
    entry.open = true;
    entry.sheet.begin(LatencyPart::queue, start);
  }
  // Returns the open sheet of a command, or null if there is none, for example because another host has sent the
  // command.
  TimeSheet* find(std::uint16_t queue, std::uint16_t command_id) {
    if (queue >= queues_.size() || command_id >= queues_[queue].size()) return nullptr;
    Entry& entry = queues_[queue][command_id];
    return entry.open ? &entry.sheet : nullptr;
  }
  // Closes the sheet of a command. Call this function when the command has ended or when the driver no longer waits for
  // it. The contents of the sheet remain valid until it is opened again.
  void close(std::uint16_t queue, std::uint16_t command_id) { place(queue, command_id).open = false; }

 private:
  struct Entry {
    bool open = false;
    TimeSheet sheet;
  };

  Entry& place(std::uint16_t queue, std::uint16_t command_id) { return queues_[queue][command_id]; }

  std::vector<std::vector<Entry>> queues_;
};

}  // namespace nandscape

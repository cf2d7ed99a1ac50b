// SPDX-License-Identifier: Apache-2.0
// The time sheets of commands between host and front end, which identify a command by its queue and command identifier.
// The driver opens and closes a sheet; in between, the front end records the parts that the command passes through. If
// a front end records nothing, all time stays with the part that the driver began.
#pragma once

#include <cstdint>
#include <vector>

#include "protocol/time_sheet.h"

namespace nandscape {

class CommandTimes {
 public:
  // Call before the first sheet of the queue is opened; identifiers must be below `commands`.
  void reserve(std::uint16_t queue, std::uint32_t commands) {
    if (queues_.size() <= queue) queues_.resize(std::size_t{queue} + 1);
    queues_[queue].resize(commands);
  }

  // Opens the sheet of a request that began at `start`.
  void open(std::uint16_t queue, std::uint16_t command_id, Tick start) {
    Entry& entry = place(queue, command_id);
    entry.open = true;
    entry.sheet.begin(LatencyPart::queue, start);
  }
  // Returns the open sheet of a command, or null if there is none, as for commands of another host.
  TimeSheet* find(std::uint16_t queue, std::uint16_t command_id) {
    if (queue >= queues_.size() || command_id >= queues_[queue].size()) return nullptr;
    Entry& entry = queues_[queue][command_id];
    return entry.open ? &entry.sheet : nullptr;
  }
  // Call when the command has ended or the driver no longer waits for it. The sheet keeps its contents until it is
  // opened again.
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

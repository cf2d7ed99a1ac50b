// SPDX-License-Identifier: Apache-2.0
// The time sheets of commands between host and front end, which know a command by its queue and its identifier there.
// The driver opens a sheet and ends it; the front end says meanwhile where the command is. A front end that says
// nothing leaves all to the part that the driver has begun.
#pragma once

#include <cstdint>
#include <vector>

#include "protocol/time_sheet.h"

namespace nandscape {

class CommandTimes {
 public:
  // For identifiers below `commands`, before the first of the queue is opened.
  void reserve(std::uint16_t queue, std::uint32_t commands) {
    if (queues_.size() <= queue) queues_.resize(std::size_t{queue} + 1);
    queues_[queue].resize(commands);
  }

  // Of a request that has begun at `start`.
  void open(std::uint16_t queue, std::uint16_t command_id, Tick start) {
    Entry& entry = place(queue, command_id);
    entry.open = true;
    entry.sheet.begin(LatencyPart::queue, start);
  }
  // Null where none was opened: the command is another host's.
  TimeSheet* find(std::uint16_t queue, std::uint16_t command_id) {
    if (queue >= queues_.size() || command_id >= queues_[queue].size()) return nullptr;
    Entry& entry = queues_[queue][command_id];
    return entry.open ? &entry.sheet : nullptr;
  }
  // The command is over, or nobody waits for it any more. The sheet stays as it is until it is opened again.
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

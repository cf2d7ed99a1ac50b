// SPDX-License-Identifier: Apache-2.0
// The commands that the controller works on, and their accesses to the storage device. Both kinds of objects are kept
// in pools and reused.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "host/nvme/prp_map.h"
#include "host/nvme/queues.h"
#include "protocol/nvme.h"
#include "protocol/storage.h"

namespace nandscape::host {

class CommandSet;
struct CommandAccess;

// The direction in which `Command::data` is transferred, for commands whose data are transferred as a whole.
enum class WholeData : std::uint8_t { none, to_host, from_host };

// The members that change until the command completes are in the first cache line, and so is the first part of the
// entry, which holds the command's identifier.
struct alignas(64) Command {
  CommandSet* set = nullptr;                    // null: an admin command
  SubmissionQueue* submission_queue = nullptr;  // the queue it was fetched from
  std::uint32_t index = 0;                      // index in CommandPool
  std::uint16_t queue = 0;                      // number of the submission queue
  nvme::Status status = nvme::Status::success;
  std::uint32_t pending = 0;  // accesses and transfers that must end before the command completes
  std::uint32_t bytes = 0;
  bool active = false;
  bool detached = false;    // the completion has been posted early (abort) or will never be posted (reset)
  bool data_given = false;  // an access was submitted to the device
  WholeData whole_data = WholeData::none;
  Command* next_free = nullptr;
  std::uint64_t result = 0;  // dwords 0 and 1 of the completion
  nvme::SubmissionEntry entry;
  TimeSheet* times = nullptr;  // the host's time sheet; null if the host keeps none
  PrpMap prps;
  std::uint64_t number = 0;  // see protocol/command_number.h
  // The first of the accesses that wait for the PRP list, in order. None is left when the command ends.
  CommandAccess* parked = nullptr;
  CommandAccess* parked_tail = nullptr;
  std::vector<std::byte> data;  // data that move as a whole

  void fail(nvme::Status why) {
    if (status == nvme::Status::success) status = why;
  }
};

struct alignas(64) CommandAccess : PageAccess {
  Command* command = nullptr;
  CommandAccess* next_listed = nullptr;  // the next parked access of its command, or the next free access
  std::uint32_t index = 0;               // index in AccessPool
  std::uint32_t offset = 0;              // byte at which the data of this access begin within the command's data
  std::uint32_t transfers = 0;           // DMA transfers under way
  std::unique_ptr<std::byte[]> buffer;   // holds one logical page; null if the simulation keeps no data
  std::unique_ptr<TimeSheet> sheet;      // the object that `times` points to; null if never needed

  std::uint32_t bytes() const { return std::uint32_t{sector_count} * sector_bytes; }
};

class CommandPool {
 public:
  explicit CommandPool(std::uint32_t slots) : commands_(slots) {
    for (std::uint32_t k = slots; k-- > 0;) {
      commands_[k].index = k;
      release(commands_[k]);
    }
  }

  // Number of free slots that are not reserved.
  std::uint32_t free_slots() const { return free_slots_; }
  // Reserves free slots for commands that are being fetched.
  void reserve(std::uint32_t slots) { free_slots_ -= slots; }
  // Returns slots that were reserved and are not needed.
  void unreserve(std::uint32_t slots) { free_slots_ += slots; }
  Command& operator[](std::uint32_t index) { return commands_[index]; }

  // Takes a free command, for which a slot must be reserved. `set` is the command set of an I/O command, and null for
  // an admin command.
  Command& acquire(SubmissionQueue& queue, std::uint64_t number, const nvme::SubmissionEntry& entry, CommandSet* set) {
    Command& command = *free_;
    free_ = command.next_free;
    command.entry = entry;
    command.queue = queue.number;
    command.submission_queue = &queue;
    command.number = number;
    command.set = set;
    command.active = true;
    command.detached = false;
    command.data_given = false;
    command.whole_data = WholeData::none;
    command.status = nvme::Status::success;
    command.result = 0;
    command.pending = 0;
    return command;
  }

  void release(Command& command) {
    command.active = false;
    command.next_free = free_;
    free_ = &command;
    ++free_slots_;
  }

  template <class Visit>
  void for_each_active(Visit visit) {
    for (Command& command : commands_) {
      if (command.active) visit(command);
    }
  }

 private:
  std::vector<Command> commands_;
  Command* free_ = nullptr;  // the first of a list
  std::uint32_t free_slots_ = 0;
};

class AccessPool {
 public:
  CommandAccess& operator[](std::uint32_t index) { return *accesses_[index]; }

  CommandAccess& acquire() {
    if (free_ == nullptr) [[unlikely]]
      grow();
    CommandAccess& access = *free_;
    free_ = access.next_listed;
    return access;
  }

  void release(CommandAccess& access) {
    access.next_listed = free_;
    free_ = &access;
  }

 private:
  [[gnu::noinline]] void grow() {
    const auto index = static_cast<std::uint32_t>(accesses_.size());
    free_ = accesses_.emplace_back(std::make_unique<CommandAccess>()).get();
    free_->index = index;
  }

  std::vector<std::unique_ptr<CommandAccess>> accesses_;
  CommandAccess* free_ = nullptr;  // the first of a list
};

}  // namespace nandscape::host

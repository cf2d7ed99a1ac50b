// SPDX-License-Identifier: Apache-2.0
// Moves the data of commands to and from host memory, at the addresses that their PRPs give.
//
// A command's data move either access by access, each when the caller asks for it, or as a whole in `Command::data`. If
// the command has a PRP list, its data wait until the list has been read.
//
// At most `data_transfers` accesses have their data on the link at a time in each direction. Otherwise the entries, PRP
// lists and completions of other commands would wait behind all data that are still to be read or written.
#pragma once

#include "core/ring.h"
#include "core/time_at_limit.h"
#include "host/nvme/device_accesses.h"

namespace nandscape::host {

class DataTransfers {
 public:
  DataTransfers(ControllerParts& parts, DeviceAccesses& accesses) : parts_(parts), accesses_(accesses) {}

  // Takes the addresses of the command's data, `bytes` long, from its PRPs. Reading a PRP list is one of the command's
  // pending parts. Returns false if the addresses are not valid; then `command.status` says why, and nothing is
  // pending.
  bool locate(Command& command, std::uint32_t bytes) {
    command.bytes = bytes;
    command.fail(command.prps.begin(command.entry.prp1, command.entry.prp2, bytes, parts_.memory_page_bytes));
    if (command.status != nvme::Status::success) [[unlikely]]
      return false;
    if (command.prps.list_needed()) {
      ++command.pending;
      read_list(command);
    }
    return true;
  }
  // Moves the data of an access, after locate(). Data of a read go to host memory, and the access ends. Data of a write
  // come from host memory; then CommandSet::data_fetched() is called. If the command has failed or is detached, the
  // access ends without a transfer.
  void move(CommandAccess& access) {
    const Command& command = *access.command;
    // A failed command moves no more data, since its PRP list may be the cause.
    if (!wanted(command)) [[unlikely]]
      return accesses_.end(access);
    if (command.prps.list_needed()) return park(access);
    Direction& direction = access.kind == AccessKind::read ? to_host_ : from_host_;
    if (direction.under_way < parts_.parameters.data_transfers) return begin(access);
    wait(direction, access);
  }

  // Sends `command.data` to host memory and finishes the command.
  void return_data(Command& command);
  // Fetches `bytes` from host memory into `command.data`, and calls CommandSet::data_fetched(). If that fails, finishes
  // the command.
  void fetch_data(Command& command, std::uint32_t bytes);

  // Call when a transfer that this class began has ended.
  void read_ended(DmaTag tag, bool ok);
  void write_ended(DmaTag tag) {
    if (tag.purpose == DmaTag::Purpose::access_data) return sent(parts_.accesses[tag.index]);
    whole_sent(parts_.commands[tag.index]);
  }

  // Time during which data waited because `data_transfers` accesses were moving.
  const TimeAtLimit& to_host_at_limit() const { return to_host_.at_limit; }
  const TimeAtLimit& from_host_at_limit() const { return from_host_.at_limit; }
  void persist_counters(Archive& archive) { archive(to_host_.at_limit, from_host_.at_limit); }

 private:
  struct Direction {
    std::uint32_t under_way = 0;
    Ring<CommandAccess*> waiting;
    TimeAtLimit at_limit;
  };

  static bool wanted(const Command& command) { return command.status == nvme::Status::success && !command.detached; }
  void move_whole(Command& command, WholeData way, std::uint32_t bytes);
  void read_list(Command& command);
  void list_read(Command& command, bool ok);
  void addresses_known(Command& command);
  void park(CommandAccess& access);
  void move_parked(Command& command);
  void send_whole(Command& command);
  void whole_sent(Command& command);
  void fetch_whole(Command& command);
  void whole_fetched(Command& command, bool ok);

  void begin(CommandAccess& access) { return access.kind == AccessKind::read ? send(access) : fetch(access); }
  void wait(Direction& direction, CommandAccess& access);
  void begin_waiting(Direction& direction);
  void send(CommandAccess& access);
  void sent(CommandAccess& access) {
    if (--access.transfers != 0) return;
    accesses_.release(access);
    --to_host_.under_way;
    if (!to_host_.waiting.empty()) begin_waiting(to_host_);
  }
  void fetch(CommandAccess& access);
  void fetched(CommandAccess& access, bool ok);

  ControllerParts& parts_;
  DeviceAccesses& accesses_;
  Direction from_host_;
  Direction to_host_;
};

}  // namespace nandscape::host

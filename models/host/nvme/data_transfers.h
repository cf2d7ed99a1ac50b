// SPDX-License-Identifier: Apache-2.0
// Moves the data of commands to and from host memory. The PRP fields of a command give the addresses of its data.
//
// The data of a command move either access by access, each when the caller asks for it, or as a whole in
// `Command::data`. If the command has a PRP list, the data wait until the list has been read.
//
// In each direction, at most `data_transfers` accesses have their data on the link at the same time. Without this
// limit, the submission entries, PRP lists and completions of other commands would wait behind all data that are still
// to be transferred.
#pragma once

#include "core/ring.h"
#include "core/time_at_limit.h"
#include "host/nvme/device_accesses.h"

namespace nandscape::host {

// Executes commands whose data are fetched as a whole and which belong to no command set: admin commands.
class FetchedDataClient {
 public:
  // Called when DataTransfers::fetch_data() has filled `command.data`; see CommandSet::data_fetched().
  virtual void data_fetched(Command& command) = 0;

 protected:
  ~FetchedDataClient() = default;
};

class DataTransfers {
 public:
  DataTransfers(ControllerParts& parts, DeviceAccesses& accesses) : parts_(parts), accesses_(accesses) {}

  // Determines the addresses of the command's data, `bytes` bytes, from its PRP fields. If there is a PRP list, starts
  // to read it, and the read becomes one of the command's pending parts. Returns false if the addresses are not valid.
  // In this case `command.status` holds the error, and no read has been started.
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
  // Moves the data of an access. Call after locate(). The data of a read go to host memory, and the access ends. The
  // data of a write come from host memory, and CommandSet::data_fetched() is called when they have arrived. If the
  // command has failed or is detached, the access ends without a transfer.
  void move(CommandAccess& access) {
    const Command& command = *access.command;
    // A failed command transfers no more data, because an invalid PRP list may have been the cause of the failure.
    if (!wanted(command)) [[unlikely]]
      return accesses_.end(access);
    if (command.prps.list_needed()) return park(access);
    Direction& direction = access.kind == AccessKind::read ? to_host_ : from_host_;
    if (direction.under_way < parts_.parameters.data_transfers) return begin(access);
    wait(direction, access);
  }

  // Sends `command.data` to host memory, and finishes the command when the data have been sent.
  void return_data(Command& command);
  // Must be called before the first admin command whose data are fetched.
  void set_admin(FetchedDataClient& admin) { admin_ = &admin; }
  // Fetches `bytes` bytes from host memory into `command.data`, and then calls data_fetched() of the command set, or of
  // the client that executes admin commands. If the transfer fails, finishes the command with the error instead.
  void fetch_data(Command& command, std::uint32_t bytes);

  // Call when a transfer that this class began has ended.
  void read_ended(DmaTag tag, bool ok);
  void write_ended(DmaTag tag) {
    if (tag.purpose == DmaTag::Purpose::access_data) return sent(parts_.accesses[tag.index]);
    whole_sent(parts_.commands[tag.index]);
  }

  // Time during which data waited because `data_transfers` accesses were already transferring data in this direction.
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
  // Sends data that may consist of several pieces, or for whose completion entry there may be no room.
  [[gnu::noinline]] void send_pieces(CommandAccess& access);
  // Sends a piece of the data of an access, which begins after `done` bytes of these data.
  void send_piece(CommandAccess& access, PrpMap::Piece piece, std::uint32_t done, bool more_follow);
  void sent(CommandAccess& access) {
    if (--access.transfers != 0) return;
    parts_.accesses.release(access);  // leave() has already been called
    --to_host_.under_way;
    if (!to_host_.waiting.empty()) begin_waiting(to_host_);
  }
  void fetch(CommandAccess& access);
  void fetched(CommandAccess& access, bool ok);

  ControllerParts& parts_;
  DeviceAccesses& accesses_;
  FetchedDataClient* admin_ = nullptr;
  Direction from_host_;
  Direction to_host_;
};

}  // namespace nandscape::host

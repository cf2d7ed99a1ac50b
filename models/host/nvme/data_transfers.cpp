// SPDX-License-Identifier: Apache-2.0
#include "host/nvme/data_transfers.h"

#include <utility>

#include "host/nvme/command_set.h"

namespace nandscape::host {

using nvme::Status;

// ---- Addresses

// Reads the next part of the command's PRP list.
void DataTransfers::read_list(Command& command) {
  const auto read = command.prps.next_list_read();
  parts_.dma.read(read.address, read.into, read.bytes, {DmaTag::Purpose::prp_list, command.index});
}

void DataTransfers::list_read(Command& command, bool ok) {
  command.fail(ok ? command.prps.list_read() : Status::data_transfer_error);
  if (wanted(command) && command.prps.list_needed()) return read_list(command);
  addresses_known(command);
}

// Called when the addresses of all data are known, or when `command.status` says why they are not known. Starts the
// transfers that have waited for the addresses.
void DataTransfers::addresses_known(Command& command) {
  switch (command.whole_data) {
    case WholeData::none: move_parked(command); break;
    case WholeData::to_host: send_whole(command); break;
    case WholeData::from_host: fetch_whole(command); break;
  }
  parts_.one_ended(command);
}

// ---- Data that move as a whole

void DataTransfers::return_data(Command& command) {
  move_whole(command, WholeData::to_host, static_cast<std::uint32_t>(command.data.size()));
}

void DataTransfers::fetch_data(Command& command, std::uint32_t bytes) {
  command.data.resize(bytes);
  move_whole(command, WholeData::from_host, bytes);
}

void DataTransfers::move_whole(Command& command, WholeData way, std::uint32_t bytes) {
  command.whole_data = way;
  if (!locate(command, bytes)) return parts_.finish(command);
  if (command.prps.list_needed()) return;
  ++command.pending;  // keeps the command from finishing while its transfers start
  addresses_known(command);
}

// Sends the data in the command's slot to host memory. Each write is one of the command's pending parts. So the command
// does not finish, and the slot is not reused, before the link has released the data.
void DataTransfers::send_whole(Command& command) {
  if (!wanted(command)) return;
  std::uint32_t done = 0;
  do {
    const PrpMap::Piece piece = command.prps.piece_at(done, command.bytes - done);
    ++command.pending;
    parts_.dma.write(piece.address, command.data.data() + done, piece.bytes,
                     {DmaTag::Purpose::command_data, command.index}, false);
    done += piece.bytes;
  } while (done < command.bytes);
}

void DataTransfers::whole_sent(Command& command) { parts_.one_ended(command); }

void DataTransfers::fetch_whole(Command& command) {
  if (!wanted(command)) return;
  std::uint32_t done = 0;
  do {
    const PrpMap::Piece piece = command.prps.piece_at(done, command.bytes - done);
    ++command.pending;
    parts_.dma.read(piece.address, command.data.data() + done, piece.bytes,
                    {DmaTag::Purpose::command_data, command.index});
    done += piece.bytes;
  } while (done < command.bytes);
}

void DataTransfers::whole_fetched(Command& command, bool ok) {
  if (!ok) command.fail(Status::data_transfer_error);
  const bool last = command.pending == 1;
  if (last && wanted(command)) {
    return command.set == nullptr ? admin_->data_fetched(command) : command.set->data_fetched(command);
  }
  parts_.one_ended(command);
}

// ---- Data of accesses

void DataTransfers::wait(Direction& direction, CommandAccess& access) {
  direction.waiting.push(&access);
  direction.at_limit.set(true, parts_.calendar.now());
}

void DataTransfers::park(CommandAccess& access) {
  Command& command = *access.command;
  access.next_listed = nullptr;
  (command.parked == nullptr ? command.parked : command.parked_tail->next_listed) = &access;
  command.parked_tail = &access;
}

void DataTransfers::move_parked(Command& command) {
  CommandAccess* access = std::exchange(command.parked, nullptr);
  while (access != nullptr) {
    CommandAccess& current = *access;
    access = current.next_listed;
    move(current);
  }
}

void DataTransfers::begin_waiting(Direction& direction) {
  while (!direction.waiting.empty() && direction.under_way < parts_.parameters.data_transfers) {
    CommandAccess& access = *direction.waiting.front();
    direction.waiting.pop();
    if (wanted(*access.command)) {
      begin(access);
    } else {
      accesses_.end(access);
    }
  }
  if (direction.waiting.empty()) direction.at_limit.set(false, parts_.calendar.now());
}

// Sends the data of an access to host memory. The command may post its completion entry before the data have arrived,
// because posted writes keep their order. The entry is sent directly after the data of the command's last access, if
// the completion queue has room.
void DataTransfers::send(CommandAccess& access) {
  const Command& command = *access.command;
  ++to_host_.under_way;
  const bool last_access = command.pending == 1;
  const bool room_unknown = last_access && command.submission_queue->completions->room == 0;
  if (room_unknown || !command.prps.in_first_page(access.offset, access.bytes())) [[unlikely]]
    return send_pieces(access);
  send_piece(access, command.prps.piece_at(access.offset, access.bytes()), 0, last_access);
  accesses_.leave(access);
}

void DataTransfers::send_pieces(CommandAccess& access) {
  const Command& command = *access.command;
  const bool entry_follows = command.pending == 1 && parts_.completions.has_room(command);
  const std::uint32_t bytes = access.bytes();
  for (std::uint32_t done = 0; done < bytes;) {
    const PrpMap::Piece piece = command.prps.piece_at(access.offset + done, bytes - done);
    send_piece(access, piece, done, entry_follows || done + piece.bytes < bytes);
    done += piece.bytes;
  }
  accesses_.leave(access);
}

inline void DataTransfers::send_piece(CommandAccess& access, PrpMap::Piece piece, std::uint32_t done,
                                      bool more_follow) {
  ++access.transfers;
  const std::byte* const from = access.data == nullptr ? nullptr : access.data + done;
  parts_.dma.write(piece.address, from, piece.bytes, {DmaTag::Purpose::access_data, access.index}, more_follow);
}

void DataTransfers::fetch(CommandAccess& access) {
  ++from_host_.under_way;
  const std::uint32_t bytes = access.bytes();
  for (std::uint32_t done = 0; done < bytes;) {
    const PrpMap::Piece piece = access.command->prps.piece_at(access.offset + done, bytes - done);
    ++access.transfers;
    std::byte* const into = access.data == nullptr ? nullptr : access.data + done;
    parts_.dma.read(piece.address, into, piece.bytes, {DmaTag::Purpose::access_data, access.index});
    done += piece.bytes;
  }
}

void DataTransfers::fetched(CommandAccess& access, bool ok) {
  Command& command = *access.command;
  if (!ok) command.fail(Status::data_transfer_error);
  if (--access.transfers != 0) return;
  --from_host_.under_way;
  if (wanted(command)) {
    command.set->data_fetched(access);
  } else {
    accesses_.end(access);
  }
  if (!from_host_.waiting.empty()) begin_waiting(from_host_);
}

// ---- Ends of transfers

void DataTransfers::read_ended(DmaTag tag, bool ok) {
  switch (tag.purpose) {
    case DmaTag::Purpose::prp_list: return list_read(parts_.commands[tag.index], ok);
    case DmaTag::Purpose::command_data: return whole_fetched(parts_.commands[tag.index], ok);
    case DmaTag::Purpose::access_data: return fetched(parts_.accesses[tag.index], ok);
    default: return;
  }
}

}  // namespace nandscape::host

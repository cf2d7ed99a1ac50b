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
  command.prps.for_each_piece(0, command.bytes, [&](std::uint64_t address, std::uint32_t length) {
    ++command.pending;
    parts_.dma.write(address, command.data.data() + done, length, {DmaTag::Purpose::command_data, command.index},
                     false);
    done += length;
  });
}

void DataTransfers::whole_sent(Command& command) { parts_.one_ended(command); }

void DataTransfers::fetch_whole(Command& command) {
  if (!wanted(command)) return;
  std::uint32_t done = 0;
  command.prps.for_each_piece(0, command.bytes, [&](std::uint64_t address, std::uint32_t length) {
    ++command.pending;
    parts_.dma.read(address, command.data.data() + done, length, {DmaTag::Purpose::command_data, command.index});
    done += length;
  });
}

void DataTransfers::whole_fetched(Command& command, bool ok) {
  if (!ok) command.fail(Status::data_transfer_error);
  const bool last = command.pending == 1;
  if (last && wanted(command)) return command.set->data_fetched(command);
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
// because posted writes keep their order.
void DataTransfers::send(CommandAccess& access) {
  Command& command = *access.command;
  ++to_host_.under_way;
  // The completion entry is sent directly after the data of the command's last access, if the completion queue has
  // room.
  const bool entry_follows = command.pending == 1 && parts_.completions.has_room(command);
  const std::uint32_t bytes = access.bytes();
  std::uint32_t done = 0;
  command.prps.for_each_piece(access.offset, bytes, [&](std::uint64_t address, std::uint32_t length) {
    ++access.transfers;
    const std::byte* from = access.data == nullptr ? nullptr : access.data + done;
    done += length;
    const bool more_follow = entry_follows || done < bytes;
    parts_.dma.write(address, from, length, {DmaTag::Purpose::access_data, access.index}, more_follow);
  });
  accesses_.leave(access);
}

void DataTransfers::fetch(CommandAccess& access) {
  ++from_host_.under_way;
  std::uint32_t done = 0;
  access.command->prps.for_each_piece(access.offset, access.bytes(), [&](std::uint64_t address, std::uint32_t length) {
    ++access.transfers;
    std::byte* into = access.data == nullptr ? nullptr : access.data + done;
    parts_.dma.read(address, into, length, {DmaTag::Purpose::access_data, access.index});
    done += length;
  });
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

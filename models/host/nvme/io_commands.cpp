// SPDX-License-Identifier: Apache-2.0
#include "host/nvme/io_commands.h"

#include <algorithm>
#include <cstring>
#include <utility>

namespace nandscape::host {

using nvme::IoOpcode;
using nvme::Status;

namespace {

constexpr std::uint32_t all_namespaces = 0xffff'ffff;

// CDW10 and CDW11: SLBA. CDW12: NLB in bits 15:0, counted from 0.
std::uint64_t first_sector(const nvme::SubmissionEntry& e) { return std::uint64_t{e.cdw11} << 32 | e.cdw10; }
std::uint32_t sector_count(const nvme::SubmissionEntry& e) { return (e.cdw12 & 0xffff) + 1; }

Status status_of(AccessStatus status) {
  switch (status) {
    case AccessStatus::ok: return Status::success;
    case AccessStatus::unrecovered_read_error: return Status::unrecovered_read_error;
    case AccessStatus::write_fault: return Status::write_fault;
    case AccessStatus::write_protected: return Status::namespace_write_protected;
  }
  return Status::internal_error;
}

nvme::DatasetRange range_of(const Command& command, std::size_t number) {
  nvme::DatasetRange range;
  std::memcpy(&range, command.data.data() + number * sizeof range, sizeof range);
  return range;
}

}  // namespace

void IoCommands::start(Command& command) {
  const Status status = check(command);
  if (status != Status::success) [[unlikely]]
    return refuse(command, status);
  switch (static_cast<IoOpcode>(command.entry.opcode)) {
    case IoOpcode::read: return start_transfer(command, AccessKind::read);
    case IoOpcode::write: return start_transfer(command, AccessKind::write);
    case IoOpcode::flush: return flush(command);
    case IoOpcode::write_zeroes: return write_zeroes(command);
    case IoOpcode::dataset_management: return dataset_management(command);
  }
}

// Returns the first error in this order: opcode, flags, namespace, size, range.
Status IoCommands::check(const Command& command) const {
  const nvme::SubmissionEntry& e = command.entry;
  const auto opcode = static_cast<IoOpcode>(e.opcode);
  switch (opcode) {
    case IoOpcode::read:
    case IoOpcode::write:
    case IoOpcode::write_zeroes:
    case IoOpcode::flush:
    case IoOpcode::dataset_management: break;
    default: return Status::invalid_opcode;
  }
  if (e.flags != 0) return Status::invalid_field;  // neither fused commands nor SGLs
  if (e.nsid != 1 && !(opcode == IoOpcode::flush && e.nsid == all_namespaces)) return Status::invalid_namespace;
  if (opcode == IoOpcode::flush || opcode == IoOpcode::dataset_management) return Status::success;
  const bool transfers = opcode != IoOpcode::write_zeroes;
  if (transfers && sector_count(e) * sector_bytes > parts_.max_transfer_bytes()) return Status::invalid_field;  // MDTS
  return check_range(first_sector(e), sector_count(e));
}

Status IoCommands::check_range(std::uint64_t first, std::uint64_t sectors) const {
  const bool inside = first < parts_.namespace_sectors && sectors <= parts_.namespace_sectors - first;
  return inside ? Status::success : Status::lba_out_of_range;
}

void IoCommands::refuse(Command& command, Status status) {
  command.fail(status);
  parts_.finish(command);
}

void IoCommands::start_transfer(Command& command, AccessKind kind) {
  const nvme::SubmissionEntry& e = command.entry;
  command.bytes = sector_count(e) * sector_bytes;
  const Status status = command.prps.begin(e.prp1, e.prp2, command.bytes, parts_.memory_page_bytes);
  if (status != Status::success) [[unlikely]]
    return refuse(command, status);

  const Divisor& per_page = parts_.sectors_per_page;
  std::uint32_t left = sector_count(e);
  std::uint64_t page = per_page.quotient(first_sector(e));
  auto within = static_cast<std::uint32_t>(first_sector(e) - page * per_page.value());  // the first page, in sectors
  const auto accesses = static_cast<std::uint32_t>(per_page.quotient(within + left - 1)) + 1;
  // Set before the loop, since the device may complete an access before submit() returns.
  command.pending = accesses;
  const bool list_needed = command.prps.list_needed();
  if (list_needed) {
    ++command.pending;
    parts_.read_prp_list(command);
  }
  std::uint32_t offset = 0;
  for (std::uint32_t k = 0; k < accesses; ++k, ++page, within = 0) {
    const std::uint32_t sectors = std::min(left, per_page.value() - within);
    CommandAccess& access = make_transfer(command, kind, page, within, sectors);
    access.offset = offset;
    offset += access.bytes();
    left -= sectors;
    if (kind == AccessKind::read) {
      submit(access);
    } else if (list_needed) {
      park(access);
    } else {
      fetch_data(access);
    }
  }
}

void IoCommands::flush(Command& command) {
  command.pending = 1;
  submit(make_access(command, AccessKind::flush, 0));
}

// Deallocates the whole pages of the range, so that they read as zeroes, and writes zeroes to the rest.
void IoCommands::write_zeroes(Command& command) {
  const std::uint64_t per_page = parts_.sectors_per_page.value();
  const std::uint64_t first = first_sector(command.entry);
  const std::uint64_t end = first + sector_count(command.entry);
  const std::uint64_t whole_first = (first + per_page - 1) / per_page;
  const std::uint64_t whole_end = end / per_page;

  const auto zeroes = [&](std::uint64_t from, std::uint64_t to) { submit(make_zeroes(command, from, to)); };
  if (whole_first > whole_end) {  // within one page
    command.pending = 1;
    return zeroes(first, end);
  }
  const bool head = first < whole_first * per_page;
  const bool body = whole_first < whole_end;
  const bool tail = whole_end * per_page < end;
  command.pending = std::uint32_t{head} + body + tail;
  if (head) zeroes(first, whole_first * per_page);
  if (body) {
    CommandAccess& access = make_access(command, AccessKind::trim, whole_first);
    access.page_count = whole_end - whole_first;
    submit(access);
  }
  if (tail) zeroes(whole_end * per_page, end);
}

// Only the Deallocate attribute requires an action; the other attributes are hints.
void IoCommands::dataset_management(Command& command) {
  if ((command.entry.cdw11 & nvme::deallocate_attribute) == 0) return parts_.finish(command);
  const std::uint32_t ranges = (command.entry.cdw10 & 0xff) + 1;  // NR counts from 0
  const auto bytes = ranges * static_cast<std::uint32_t>(sizeof(nvme::DatasetRange));
  const Status status = command.prps.begin(command.entry.prp1, command.entry.prp2, bytes, parts_.memory_page_bytes);
  if (status != Status::success) return refuse(command, status);
  command.data.resize(bytes);
  // The ranges take at most 4 KiB, hence two pages and no list. One extra pending keeps the command while its transfers
  // start.
  command.pending = 1;
  std::uint32_t done = 0;
  command.prps.for_each_piece(0, bytes, [&](std::uint64_t address, std::uint32_t length) {
    ++command.pending;
    parts_.dma.read(address, command.data.data() + done, length, {DmaTag::Purpose::command_data, command.index});
    done += length;
  });
}

void IoCommands::ranges_read(Command& command, bool ok) {
  if (!ok) command.fail(Status::data_transfer_error);
  if (--command.pending > 1) return;  // other reads of ranges are under way
  if (command.detached || command.status != Status::success) return parts_.one_ended(command);

  for (std::size_t k = 0; k < command.data.size() / sizeof(nvme::DatasetRange); ++k) {
    const nvme::DatasetRange range = range_of(command, k);
    if (range.length != 0) command.fail(check_range(range.start, range.length));
  }
  command.range = 0;
  command.next_sector = 0;
  deallocate_portion(command.index);
}

// Adjacent ranges are merged, since a large extent takes several ranges.
IoCommands::Portion IoCommands::next_portion(Command& command) const {
  const std::uint64_t per_page = parts_.sectors_per_page.value();
  const std::size_t ranges = command.data.size() / sizeof(nvme::DatasetRange);
  while (command.range < ranges) {
    const nvme::DatasetRange range = range_of(command, command.range);
    const std::uint64_t first = std::max(range.start, command.next_sector);
    std::uint64_t end = range.start + range.length;
    std::uint32_t next = command.range + 1;
    for (; next < ranges && range_of(command, next).start == end; ++next) end += range_of(command, next).length;
    if (first >= end) {
      command.range = next;
      command.next_sector = 0;
      continue;
    }
    const std::uint64_t into_page = first % per_page;
    const std::uint64_t whole_end = end / per_page * per_page;
    if (into_page == 0 && first < whole_end) return {first, whole_end};
    return {first, std::min(end, first - into_page + per_page)};
  }
  return {};
}

// Deallocates the next portion. A part of a page is overwritten with zeroes instead, and so reads like a deallocated
// page.
void IoCommands::deallocate_portion(std::uint64_t command_index) {
  Command& command = parts_.commands[static_cast<std::uint32_t>(command_index)];
  if (command.detached || command.status != Status::success) return parts_.one_ended(command);
  const Portion portion = next_portion(command);
  if (portion.first == portion.end) return parts_.one_ended(command);
  command.next_sector = portion.end;
  const std::uint64_t per_page = parts_.sectors_per_page.value();
  if (portion.first % per_page != 0 || portion.end % per_page != 0) {
    CommandAccess& access = make_zeroes(command, portion.first, portion.end);
    access.deallocates = true;
    return submit(access);
  }
  CommandAccess& access = make_access(command, AccessKind::trim, portion.first / per_page);
  access.page_count = (portion.end - portion.first) / per_page;
  submit(access);
}

// The next portion begins with its own event, since the device may have answered from within submit(). A failed command
// ends here, since fetching goes on after this call if a slot has become free.
void IoCommands::deallocated(CommandAccess& access) {
  Command& command = *access.command;
  const bool failed = command.detached || command.status != Status::success;
  const Portion portion = next_portion(command);
  if (failed) return end(access);
  if (portion.first == portion.end) return forced(command) ? make_durable(access) : end(access);
  if (access.times != nullptr) take_times(access);
  parts_.accesses.release(access);
  parts_.calendar.schedule<&IoCommands::deallocate_portion>(parts_.calendar.now(), *this, command.index);
}

CommandAccess& IoCommands::make_access(Command& command, AccessKind kind, std::uint64_t lpn) {
  CommandAccess& access = parts_.accesses.acquire();
  access.kind = kind;
  access.status = AccessStatus::ok;
  access.force_unit_access = false;
  access.deallocates = false;
  access.request = command.number;
  access.stream = static_cast<std::uint16_t>(command.queue - 1);
  access.priority = parts_.queues.submission[command.queue].priority;
  access.first_sector = 0;
  access.sector_count = 0;
  access.lpn = Lpn(lpn);
  access.page_count = 1;
  access.data = nullptr;
  access.next = nullptr;
  access.command = &command;
  access.transfers = 0;
  access.times = nullptr;
  if (command.times != nullptr) [[unlikely]]
    return give_times(access);
  return access;
}

CommandAccess& IoCommands::give_times(CommandAccess& access) {
  if (access.sheet == nullptr) access.sheet = std::make_unique<TimeSheet>();
  access.times = access.sheet.get();
  *access.times = *access.command->times;
  return access;
}

// The command has waited for its last access, so the last copy counts. The sheet of a detached command may belong to
// another command by now.
void IoCommands::take_times(const CommandAccess& access) {
  if (!access.command->detached) *access.command->times = *access.times;
}

CommandAccess& IoCommands::make_transfer(Command& command, AccessKind kind, std::uint64_t page, std::uint32_t first,
                                         std::uint32_t sectors) {
  CommandAccess& access = make_access(command, kind, page);
  access.first_sector = static_cast<std::uint16_t>(first);
  access.sector_count = static_cast<std::uint16_t>(sectors);
  if (kind == AccessKind::write) {
    access.force_unit_access = forced(command);
  }
  if (parts_.keep_data) {
    if (access.buffer == nullptr) access.buffer = std::make_unique<std::byte[]>(parts_.device.page_bytes());
    access.data = access.buffer.get();
  }
  return access;
}

// Whether the command completes only when its changes are on flash: FUA is set, or the volatile write cache is off.
bool IoCommands::forced(const Command& command) const {
  const bool has_bit = static_cast<IoOpcode>(command.entry.opcode) != IoOpcode::dataset_management;
  return (has_bit && (command.entry.cdw12 & nvme::force_unit_access) != 0) || !parts_.features.write_cache_enabled();
}

// Flushes the device, which makes its trims durable.
void IoCommands::make_durable(CommandAccess& access) {
  Command& command = *access.command;
  if (access.status != AccessStatus::ok || command.detached) return end(access);
  if (access.times != nullptr) [[unlikely]]
    take_times(access);
  parts_.accesses.release(access);
  submit(make_access(command, AccessKind::flush, 0));
}

CommandAccess& IoCommands::make_zeroes(Command& command, std::uint64_t first, std::uint64_t end) {
  const std::uint64_t per_page = parts_.sectors_per_page.value();
  CommandAccess& access =
      make_transfer(command, AccessKind::write, first / per_page, static_cast<std::uint32_t>(first % per_page),
                    static_cast<std::uint32_t>(end - first));
  if (access.data != nullptr) std::memset(access.data, 0, access.bytes());
  return access;
}

void IoCommands::submit(CommandAccess& access) {
  access.command->data_given = true;
  if (access.times != nullptr) [[unlikely]]
    access.times->enter(LatencyPart::firmware, parts_.calendar.now());
  ++parts_.health.counters().page_accesses;
  parts_.device.submit(access, parts_.calendar.now());
}

void IoCommands::park(CommandAccess& access) {
  Command& command = *access.command;
  access.next_listed = nullptr;
  (command.parked == nullptr ? command.parked : command.parked_tail->next_listed) = &access;
  command.parked_tail = &access;
}

void IoCommands::accessed(CommandAccess& access) {
  Command& command = *access.command;
  if (access.times != nullptr) [[unlikely]]
    access.times->enter(LatencyPart::link, parts_.calendar.now());
  if (access.status != AccessStatus::ok) command.fail(status_of(access.status));
  const bool deallocates = static_cast<IoOpcode>(command.entry.opcode) == IoOpcode::dataset_management;
  if (deallocates && access.kind != AccessKind::flush) return deallocated(access);
  if (access.kind == AccessKind::trim && forced(command)) return make_durable(access);
  // A failed command returns no more data, since its PRP list may be the cause.
  if (access.kind != AccessKind::read || command.status != Status::success || command.detached) return end(access);
  if (command.prps.list_needed()) return park(access);
  return_data(access);
}

void IoCommands::prps_known(Command& command) {
  if (command.detached || command.status != Status::success) {
    drop_parked(command);
  } else {
    CommandAccess* access = std::exchange(command.parked, nullptr);
    while (access != nullptr) {
      CommandAccess& current = *access;
      access = current.next_listed;
      if (current.kind == AccessKind::read) {
        return_data(current);
      } else {
        fetch_data(current);
      }
    }
  }
  parts_.one_ended(command);  // the list itself
}

void IoCommands::drop_parked(Command& command) {
  CommandAccess* access = std::exchange(command.parked, nullptr);
  while (access != nullptr) {
    CommandAccess& current = *access;
    access = current.next_listed;
    end(current);
  }
}

void IoCommands::return_data(CommandAccess& access) {
  if (returns_.under_way < parts_.parameters.data_transfers) return start_return(access);
  returns_.waiting.push(&access);
  returns_.at_limit.set(true, parts_.calendar.now());
}

void IoCommands::fetch_data(CommandAccess& access) {
  if (fetches_.under_way < parts_.parameters.data_transfers) return start_fetch(access);
  fetches_.waiting.push(&access);
  fetches_.at_limit.set(true, parts_.calendar.now());
}

void IoCommands::transfer_waiting() {
  const auto serve = [this](Transfers& transfers, auto begin) {
    while (!transfers.waiting.empty() && transfers.under_way < parts_.parameters.data_transfers) {
      CommandAccess& access = *transfers.waiting.front();
      transfers.waiting.pop();
      const Command& command = *access.command;
      if (command.detached || command.status != Status::success) {
        end(access);
      } else {
        (this->*begin)(access);
      }
    }
    if (transfers.waiting.empty()) transfers.at_limit.set(false, parts_.calendar.now());
  };
  serve(returns_, &IoCommands::start_return);
  serve(fetches_, &IoCommands::start_fetch);
}

void IoCommands::start_return(CommandAccess& access) {
  Command& command = *access.command;
  ++returns_.under_way;
  // The completion entry follows directly behind the data of the last access, if its queue has room.
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
  if (access.times != nullptr) [[unlikely]]
    take_times(access);
  parts_.one_ended(command);
}

void IoCommands::data_taken(CommandAccess& access) {
  if (--access.transfers != 0) return;
  parts_.accesses.release(access);
  --returns_.under_way;
  transfer_waiting();
}

void IoCommands::start_fetch(CommandAccess& access) {
  ++fetches_.under_way;
  std::uint32_t done = 0;
  access.command->prps.for_each_piece(access.offset, access.bytes(), [&](std::uint64_t address, std::uint32_t length) {
    ++access.transfers;
    std::byte* into = access.data == nullptr ? nullptr : access.data + done;
    parts_.dma.read(address, into, length, {DmaTag::Purpose::access_data, access.index});
    done += length;
  });
}

void IoCommands::data_read(CommandAccess& access, bool ok) {
  Command& command = *access.command;
  if (!ok) command.fail(Status::data_transfer_error);
  if (--access.transfers != 0) return;
  --fetches_.under_way;
  if (command.detached || command.status != Status::success) {
    end(access);
  } else {
    submit(access);
  }
  transfer_waiting();
}

void IoCommands::end(CommandAccess& access) {
  Command& command = *access.command;
  if (access.times != nullptr) [[unlikely]]
    take_times(access);
  parts_.accesses.release(access);
  parts_.one_ended(command);
}

}  // namespace nandscape::host

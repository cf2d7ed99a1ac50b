// SPDX-License-Identifier: Apache-2.0
#include "host/nvme/command_sets/nvm_commands.h"

#include <algorithm>
#include <bit>
#include <cstring>
#include <span>

#include "host/nvme/identify.h"

namespace nandscape::host {

using nvme::IoOpcode;
using nvme::Status;

namespace {

constexpr std::uint32_t all_namespaces = 0xffff'ffff;

// The fields of Read, Write and Write Zeroes: the starting LBA is in CDW10 and CDW11, and the number of blocks, counted
// from 0, is in bits 15:0 of CDW12.
std::uint64_t first_sector(const nvme::SubmissionEntry& e) { return std::uint64_t{e.cdw11} << 32 | e.cdw10; }
std::uint32_t sector_count(const nvme::SubmissionEntry& e) { return (e.cdw12 & 0xffff) + 1; }

nvme::DatasetRange range_of(const Command& command, std::size_t number) {
  nvme::DatasetRange range;
  std::memcpy(&range, command.data.data() + number * sizeof range, sizeof range);
  return range;
}

}  // namespace

void register_nvm(CommandSets& registry) {
  registry.add<NvmCommands>("nvm", "NVM command set: reads and writes of logical blocks");
}

NvmCommands::NvmCommands(const Parameters&, const CommandServices& services)
    : parts_(services.parts),
      accesses_(services.accesses),
      transfers_(services.transfers),
      deallocations_(services.parts.parameters.command_slots) {
  count_as(static_cast<std::uint8_t>(IoOpcode::read), HostTraffic::read);
  count_as(static_cast<std::uint8_t>(IoOpcode::write), HostTraffic::write);
}

void NvmCommands::start(Command& command) {
  const auto opcode = static_cast<IoOpcode>(command.entry.opcode);
  if (opcode != IoOpcode::read && opcode != IoOpcode::write) return start_other(command);
  if (const Status error = check_transfer(command.entry); error != Status::success) [[unlikely]]
    return refuse(command, error);
  start_transfer(command, opcode == IoOpcode::read ? AccessKind::read : AccessKind::write);
}

void NvmCommands::start_other(Command& command) {
  if (const Status error = check(command.entry); error != Status::success) return refuse(command, error);
  switch (static_cast<IoOpcode>(command.entry.opcode)) {
    case IoOpcode::flush: return flush(command);
    case IoOpcode::write_zeroes: return write_zeroes(command);
    default: return dataset_management(command);
  }
}

void NvmCommands::refuse(Command& command, Status why) {
  command.fail(why);
  parts_.finish(command);
}

// Checks the submission entry of a Read or Write: its flags, namespace, size and range, in this order. Returns the
// first error, or success.
inline Status NvmCommands::check_transfer(const nvme::SubmissionEntry& e) const {
  if (e.flags != 0) return Status::invalid_field;  // fused commands and SGLs are not supported
  if (e.nsid != 1) return Status::invalid_namespace;
  if (sector_count(e) * sector_bytes > parts_.max_transfer_bytes()) return Status::invalid_field;  // the limit MDTS
  return check_range(first_sector(e), sector_count(e));
}

// Checks the submission entry of a command other than Read and Write: its opcode, flags, namespace and, for Write
// Zeroes, its range, in this order. Returns the first error, or success.
Status NvmCommands::check(const nvme::SubmissionEntry& e) const {
  const auto opcode = static_cast<IoOpcode>(e.opcode);
  const bool flushes = opcode == IoOpcode::flush;
  const bool known = flushes || opcode == IoOpcode::write_zeroes || opcode == IoOpcode::dataset_management;
  if (!known) return Status::invalid_opcode;
  if (e.flags != 0) return Status::invalid_field;
  if (e.nsid != 1 && !(flushes && e.nsid == all_namespaces)) return Status::invalid_namespace;
  return opcode == IoOpcode::write_zeroes ? check_range(first_sector(e), sector_count(e)) : Status::success;
}

Status NvmCommands::check_range(std::uint64_t first, std::uint64_t sectors) const {
  const bool inside = first < parts_.namespace_sectors && sectors <= parts_.namespace_sectors - first;
  return inside ? Status::success : Status::lba_out_of_range;
}

inline CommandAccess& NvmCommands::make_transfer(Command& command, AccessKind kind, std::uint64_t lpn,
                                                 std::uint32_t first, std::uint32_t sectors) {
  CommandAccess& access = accesses_.make_transfer(command, kind, lpn, first, sectors);
  if (kind == AccessKind::write) access.force_unit_access = forced(command);
  return access;
}

inline void NvmCommands::start_transfer(Command& command, AccessKind kind) {
  const nvme::SubmissionEntry& e = command.entry;
  const Divisor& per_page = parts_.sectors_per_page;
  const std::uint64_t page = per_page.quotient(first_sector(e));
  const auto within = static_cast<std::uint32_t>(first_sector(e) - page * per_page.value());
  const std::uint32_t end = within + sector_count(e);  // like `within`, in sectors from the start of the first page
  const bool one_page = end <= per_page.value();
  // The number is set before the first access starts. The device may complete an access before submit() returns, and
  // the command must not finish before its last access.
  command.pending = one_page ? 1 : static_cast<std::uint32_t>(per_page.quotient(end - 1)) + 1;
  if (!transfers_.locate(command, sector_count(e) * sector_bytes)) [[unlikely]]
    return parts_.finish(command);
  if (!one_page) return start_accesses(command, kind, page, within);
  start_access(command, kind, page, within, end - within, 0);
}

void NvmCommands::start_accesses(Command& command, AccessKind kind, std::uint64_t page, std::uint32_t within) {
  std::uint32_t left = sector_count(command.entry);
  for (std::uint32_t offset = 0; left != 0; ++page, within = 0) {
    const std::uint32_t sectors = std::min(left, parts_.sectors_per_page.value() - within);
    left -= sectors;
    start_access(command, kind, page, within, sectors, offset);
    offset += sectors * sector_bytes;
  }
}

inline void NvmCommands::start_access(Command& command, AccessKind kind, std::uint64_t page, std::uint32_t within,
                                      std::uint32_t sectors, std::uint32_t offset) {
  CommandAccess& access = make_transfer(command, kind, page, within, sectors);
  access.offset = offset;
  if (kind == AccessKind::read) return accesses_.submit(access);
  transfers_.move(access);
}

void NvmCommands::flush(Command& command) {
  command.pending = 1;
  accesses_.submit(accesses_.make(command, AccessKind::flush, 0));
}

// Deallocates the pages that lie completely in the range, which then read as zeroes. Writes zeroes to the sectors of
// the range that lie in other pages.
void NvmCommands::write_zeroes(Command& command) {
  const std::uint64_t per_page = parts_.sectors_per_page.value();
  const std::uint64_t first = first_sector(command.entry);
  const std::uint64_t end = first + sector_count(command.entry);
  const std::uint64_t whole_first = (first + per_page - 1) / per_page;
  const std::uint64_t whole_end = end / per_page;

  const auto zeroes = [&](std::uint64_t from, std::uint64_t to) { accesses_.submit(make_zeroes(command, from, to)); };
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
    CommandAccess& access = accesses_.make(command, AccessKind::trim, whole_first);
    access.page_count = whole_end - whole_first;
    accesses_.submit(access);
  }
  if (tail) zeroes(whole_end * per_page, end);
}

// Only the attribute Deallocate requires an action. The other attributes are hints, which the controller ignores.
void NvmCommands::dataset_management(Command& command) {
  if ((command.entry.cdw11 & nvme::deallocate_attribute) == 0) return parts_.finish(command);
  const std::uint32_t ranges = (command.entry.cdw10 & 0xff) + 1;  // NR counts from 0
  // The list of ranges has at most 4 KiB. It lies in at most two memory pages, so the command needs no PRP list.
  transfers_.fetch_data(command, ranges * static_cast<std::uint32_t>(sizeof(nvme::DatasetRange)));
}

void NvmCommands::data_fetched(Command& command) {
  for (std::size_t k = 0; k < command.data.size() / sizeof(nvme::DatasetRange); ++k) {
    const nvme::DatasetRange range = range_of(command, k);
    if (range.length != 0) command.fail(check_range(range.start, range.length));
  }
  deallocations_[command.index] = {};
  deallocate_portion(command.index);
}

// Returns the next portion that the command deallocates. Adjacent ranges are merged, because the host describes a large
// extent by several ranges.
NvmCommands::Portion NvmCommands::next_portion(const Command& command) {
  const std::uint64_t per_page = parts_.sectors_per_page.value();
  const std::size_t ranges = command.data.size() / sizeof(nvme::DatasetRange);
  Deallocation& done = deallocations_[command.index];
  while (done.range < ranges) {
    const nvme::DatasetRange range = range_of(command, done.range);
    const std::uint64_t first = std::max(range.start, done.next_sector);
    std::uint64_t end = range.start + range.length;
    std::uint32_t next = done.range + 1;
    for (; next < ranges && range_of(command, next).start == end; ++next) end += range_of(command, next).length;
    if (first >= end) {
      done.range = next;
      done.next_sector = 0;
      continue;
    }
    const std::uint64_t into_page = first % per_page;
    const std::uint64_t whole_end = end / per_page * per_page;
    if (into_page == 0 && first < whole_end) return {first, whole_end};
    return {first, std::min(end, first - into_page + per_page)};
  }
  return {};
}

// Deallocates the next portion of the command. If the portion is only a part of a page, the device overwrites it with
// zeroes instead, so that it reads like a deallocated page.
void NvmCommands::deallocate_portion(std::uint64_t command_index) {
  Command& command = parts_.commands[static_cast<std::uint32_t>(command_index)];
  if (command.detached || command.status != Status::success) return parts_.one_ended(command);
  const Portion portion = next_portion(command);
  if (portion.first == portion.end) return parts_.one_ended(command);
  deallocations_[command_index].next_sector = portion.end;
  const std::uint64_t per_page = parts_.sectors_per_page.value();
  if (portion.first % per_page != 0 || portion.end % per_page != 0) {
    CommandAccess& access = make_zeroes(command, portion.first, portion.end);
    access.deallocates = true;
    return accesses_.submit_next(access);
  }
  CommandAccess& access = accesses_.make(command, AccessKind::trim, portion.first / per_page);
  access.page_count = (portion.end - portion.first) / per_page;
  accesses_.submit_next(access);
}

// Called when the device has deallocated a portion. The next portion begins in a separate event, because the device may
// call this function from within submit(). A failed command must end in this call and not in the event, because the
// controller looks for free command slots only after this call.
void NvmCommands::deallocated(CommandAccess& access) {
  Command& command = *access.command;
  const bool failed = command.detached || command.status != Status::success;
  const Portion portion = next_portion(command);
  if (failed) return accesses_.end(access);
  if (portion.first == portion.end) return forced(command) ? make_durable(access) : accesses_.end(access);
  accesses_.release(access);
  parts_.calendar.schedule<&NvmCommands::deallocate_portion>(parts_.calendar.now(), *this, command.index);
}

// Returns whether the command may complete only when its changes are on flash. This is required if the command sets
// Force Unit Access, or if the volatile write cache is off.
bool NvmCommands::forced(const Command& command) const {
  const bool has_bit = static_cast<IoOpcode>(command.entry.opcode) != IoOpcode::dataset_management;
  return (has_bit && (command.entry.cdw12 & nvme::force_unit_access) != 0) || !parts_.features.write_cache_enabled();
}

// Replaces the last access of a command by a flush of the device, because a flush makes the trims of the command
// durable. If the access has failed or the command is detached, only ends the access.
void NvmCommands::make_durable(CommandAccess& access) {
  Command& command = *access.command;
  if (access.status != AccessStatus::ok || command.detached) return accesses_.end(access);
  accesses_.release(access);
  accesses_.submit_next(accesses_.make(command, AccessKind::flush, 0));
}

CommandAccess& NvmCommands::make_zeroes(Command& command, std::uint64_t first, std::uint64_t end) {
  const std::uint64_t per_page = parts_.sectors_per_page.value();
  CommandAccess& access =
      make_transfer(command, AccessKind::write, first / per_page, static_cast<std::uint32_t>(first % per_page),
                    static_cast<std::uint32_t>(end - first));
  if (access.data != nullptr) std::memset(access.data, 0, access.bytes());
  return access;
}

void NvmCommands::accessed(CommandAccess& access) {
  if (access.kind == AccessKind::read) return transfers_.move(access);
  changed(access);
}

// Called when the device has completed an access that is not a read. Starts the next step of the command or ends the
// access.
void NvmCommands::changed(CommandAccess& access) {
  const Command& command = *access.command;
  const bool deallocates = static_cast<IoOpcode>(command.entry.opcode) == IoOpcode::dataset_management;
  if (deallocates && access.kind != AccessKind::flush) return deallocated(access);
  if (access.kind == AccessKind::trim && forced(command)) return make_durable(access);
  accesses_.end(access);
}

// ---- Identify

void NvmCommands::add_to(nvme::IdentifyController& id) const {
  id.oncs = 1u << 2 | 1u << 3;  // Dataset Management, Write Zeroes
  id.vwc = parts_.features.has_write_cache() ? 1 : 0;
}

std::vector<std::byte> NvmCommands::identify(nvme::IdentifyWhat what) const {
  if (what != nvme::IdentifyWhat::identify_namespace) return {};
  nvme::IdentifyNamespace id;
  id.nsze = id.ncap = id.nuse = parts_.namespace_sectors;
  id.nsfeat = 1u << 4;       // NPWG .. NOWS are defined
  id.dlfeat = 1u | 1u << 3;  // deallocated blocks read as zeroes; Write Zeroes deallocates
  id.nvmcap = {parts_.namespace_sectors * sector_bytes, 0};
  // These fields tell the host to write and deallocate whole logical pages, because such accesses need no extra work.
  // All of these fields count from 0.
  id.npwg = id.npwa = id.npdg = id.npda = static_cast<std::uint16_t>(parts_.sectors_per_page.value() - 1);
  id.eui64 = namespace_eui64;
  id.lbaf[0] = std::uint32_t{std::bit_width(sector_bytes) - 1u} << 16;
  const auto bytes = std::as_bytes(std::span(&id, 1));
  return {bytes.begin(), bytes.end()};
}

}  // namespace nandscape::host

// SPDX-License-Identifier: Apache-2.0
#include "host/driver/request_queue.h"

#include <algorithm>
#include <cstring>
#include <limits>
#include <span>
#include <vector>

#include "protocol/command_number.h"
#include "protocol/storage.h"

namespace nandscape::host {

using nvme::IoOpcode;

namespace {

// A range of Dataset Management has a 32-bit length. The limit is a power of two, so that no logical page is split
// between two ranges of a page-aligned request.
constexpr std::uint64_t sectors_per_range = std::uint64_t{1} << 31;

std::uint64_t most_sectors_of(RequestKind kind, std::uint32_t max_transfer_bytes) {
  switch (kind) {
    case RequestKind::read:
    case RequestKind::write: return max_transfer_bytes / sector_bytes;
    case RequestKind::write_zeroes: return 65536;  // NLB has 16 bits
    case RequestKind::trim: return nvme::most_dataset_ranges * sectors_per_range;
    case RequestKind::flush: break;
  }
  return std::numeric_limits<std::uint64_t>::max();
}

}  // namespace

RequestQueue::RequestQueue(Calendar& calendar, const DriverParameters& parameters, HostMemory& memory,
                           RegisterPort& registers, const QueuePair::Layout& layout, std::uint32_t max_transfer_bytes,
                           RequestSink& sink)
    : calendar_(calendar),
      memory_(memory),
      pair_(memory, registers, layout),
      sink_(sink),
      submit_time_(ticks_from_ns(parameters.submit_ns)),
      completion_time_(ticks_from_ns(parameters.completion_ns)),
      parts_(layout.entries - 1) {
  for (std::size_t kind = 0; kind < request_kinds; ++kind) {
    most_sectors_[kind] = most_sectors_of(static_cast<RequestKind>(kind), max_transfer_bytes);
  }
}

void RequestQueue::keep_times(CommandTimes& times) {
  times.reserve(pair_.id(), pair_.entries());
  times_ = &times;
  watched_ = true;
}

void RequestQueue::add_request() {
  DriverRequest& request = requests_.emplace_back();
  request.number = static_cast<std::uint32_t>(requests_.size() - 1);
  give_back(request);
}

void RequestQueue::open() {
  open_ = true;
  issue_waiting();
  flush_doorbell();
}

std::size_t RequestQueue::close(nvme::Status status) {
  open_ = false;
  waiting_.clear();
  std::vector<DriverRequest*> begun;
  for (DriverRequest& request : requests_) {
    if (request.begun) begun.push_back(&request);
  }
  for (DriverRequest* const request : begun) {
    request->status = status;
    request->times = nullptr;
    finish(*request, calendar_.now());
  }
  return begun.size();
}

inline nvme::SubmissionEntry& RequestQueue::issue_part(DriverRequest& r, std::uint64_t sectors) {
  const RequestKind kind = r.request.kind;
  const std::uint64_t first = r.issued_sectors;
  const std::uint16_t id = pair_.take_id();

  nvme::SubmissionEntry& e = pair_.push();
  e = {};
  e.command_id = id;
  e.nsid = 1;
  if (kind <= RequestKind::write) [[likely]] {
    const std::uint64_t device_sector = r.request.first.value + first;
    e.opcode = static_cast<std::uint8_t>(kind == RequestKind::read ? IoOpcode::read : IoOpcode::write);
    e.cdw10 = static_cast<std::uint32_t>(device_sector);
    e.cdw11 = static_cast<std::uint32_t>(device_sector >> 32);
    e.cdw12 = static_cast<std::uint32_t>(sectors - 1);
    if (r.request.force_unit_access) e.cdw12 |= nvme::force_unit_access;
    pair_.set_prps(e, static_cast<std::uint32_t>(sectors * sector_bytes));
  }
  r.issued_sectors = first + sectors;
  ++r.commands;
  if (submit_time_ != 0) spend(submit_time_);
  Part& part = parts_[id];
  part.request = &r;
  part.first = first;
  part.sectors = sectors;
  return e;
}

void RequestQueue::begin(DriverRequest& request) {
  request.begun = true;
  if (!ready_for(request) || needs_more(request)) [[unlikely]]
    return issue_or_wait(request);
  issue_part(request, request.request.sectors);
}

void RequestQueue::issue_or_wait(DriverRequest& request) {
  if (waiting_.empty() && issue(request)) return;
  waiting_.push(&request);
  issue_waiting();
}

bool RequestQueue::issue(DriverRequest& request) {
  const RequestKind kind = request.request.kind;
  const std::uint64_t most = most_sectors_[static_cast<std::size_t>(kind)];
  while (open_ && pair_.has_room()) {
    const std::uint64_t sectors = std::min(request.request.sectors - request.issued_sectors, most);
    pair_.prepare(kind <= RequestKind::write ? static_cast<std::uint32_t>(sectors * sector_bytes) : 0);
    nvme::SubmissionEntry& entry = issue_part(request, sectors);
    if (needs_more(request)) finish_part(entry);
    if (request.all_issued()) return true;
  }
  return false;
}

void RequestQueue::issue_waiting() {
  while (!waiting_.empty() && issue(*waiting_.front())) waiting_.pop();
}

void RequestQueue::finish_part(nvme::SubmissionEntry& e) {
  Part& part = parts_[e.command_id];
  const DriverRequest& r = *part.request;
  const RequestKind kind = r.request.kind;
  if (kind > RequestKind::write) {
    fill_in(e, kind, r.request.first.value + part.first, part.sectors);
  } else if (kind == RequestKind::write && r.data != nullptr) {
    const std::span<const std::byte> from(r.data + part.first * sector_bytes, part.sectors * sector_bytes);
    memory_.write(pair_.buffer(e.command_id), from);
  }
  part.number = command_number(pair_.id(), pair_.pushed());
  part.sent = submit_time_ == 0 ? calendar_.now() : processor_free_;
  if (times_ != nullptr) times_->open(pair_.id(), e.command_id, r.start);
}

void RequestQueue::fill_in(nvme::SubmissionEntry& e, RequestKind kind, std::uint64_t first, std::uint64_t sectors) {
  pair_.set_prps(e, 0);
  if (kind == RequestKind::flush) {
    e.opcode = static_cast<std::uint8_t>(IoOpcode::flush);
  } else if (kind == RequestKind::write_zeroes) {
    e.opcode = static_cast<std::uint8_t>(IoOpcode::write_zeroes);
    e.cdw10 = static_cast<std::uint32_t>(first);
    e.cdw11 = static_cast<std::uint32_t>(first >> 32);
    e.cdw12 = static_cast<std::uint32_t>(sectors - 1);
  } else {
    std::vector<nvme::DatasetRange> ranges;
    for (std::uint64_t done = 0; done < sectors; done += sectors_per_range) {
      const auto length = static_cast<std::uint32_t>(std::min(sectors - done, sectors_per_range));
      ranges.push_back({.length = length, .start = first + done});
    }
    e.opcode = static_cast<std::uint8_t>(IoOpcode::dataset_management);
    e.cdw10 = static_cast<std::uint32_t>(ranges.size() - 1);
    e.cdw11 = nvme::deallocate_attribute;
    memory_.write(pair_.buffer(e.command_id), std::as_bytes(std::span(ranges)));
  }
}

Tick RequestQueue::spend(Tick time) {
  processor_free_ = std::max(processor_free_, calendar_.now()) + time;
  return processor_free_;
}

// Completion entries that arrive while the queue is closed belong to commands from before a reset, so they are ignored.
void RequestQueue::handle_completions() {
  if (!open_) return;
  pair_.reap([this](const nvme::CompletionEntry& entry) { part_ended(entry, spend(completion_time_)); });
  if (!waiting_.empty()) issue_waiting();
  flush_doorbell();
}

inline void RequestQueue::part_ended(const nvme::CompletionEntry& entry, Tick now) {
  const Part& part = parts_[entry.command_id];
  DriverRequest& r = *part.request;
  if (r.status == nvme::Status::success) r.status = nvme::status_of(entry);
  if (r.data != nullptr || watched_) [[unlikely]]
    pass_on(part, entry, now);
  if (--r.commands == 0 && r.all_issued()) finish(r, now);
}

void RequestQueue::pass_on(const Part& part, const nvme::CompletionEntry& entry, Tick now) {
  DriverRequest& r = *part.request;
  if (r.data != nullptr && r.request.kind == RequestKind::read) {
    const std::span into(r.data + part.first * sector_bytes, part.sectors * sector_bytes);
    memory_.read(pair_.buffer(entry.command_id), into);
  }
  if (observer_ != nullptr) tell(part, nvme::status_of(entry), now);
  if (times_ != nullptr) r.times = end_times(entry.command_id, now);
}

void RequestQueue::tell(const Part& part, nvme::Status status, Tick now) const {
  const HostRequest& request = part.request->request;
  observer_->command_ended({.kind = request.kind,
                            .status = status,
                            .queue = pair_.id(),
                            .number = part.number,
                            .first = Lba(request.first.value + part.first),
                            .sectors = part.sectors,
                            .begin = part.sent,
                            .end = now});
}

// Ends the command's time sheet and returns it; null if the command has none. The time that the driver needs to handle
// the completion counts as LatencyPart::queue.
const TimeSheet* RequestQueue::end_times(std::uint16_t command_id, Tick now) {
  TimeSheet* const sheet = times_->find(pair_.id(), command_id);
  if (sheet == nullptr) return nullptr;
  sheet->enter(LatencyPart::queue, calendar_.now());
  sheet->end(now);
  times_->close(pair_.id(), command_id);
  return sheet;
}

inline void RequestQueue::finish(DriverRequest& request, Tick now) {
  request.begun = false;
  sink_.finished(request, now);
  give_back(request);
}

}  // namespace nandscape::host

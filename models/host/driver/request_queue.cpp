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

// A range of Dataset Management has a 32-bit length. A power of two keeps each page within one range.
constexpr std::uint64_t sectors_per_range = std::uint64_t{1} << 31;

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
      max_transfer_bytes_(max_transfer_bytes),
      parts_(layout.entries - 1) {}

void RequestQueue::keep_times(CommandTimes& times) {
  times.reserve(pair_.id(), pair_.entries());
  times_ = &times;
}

std::uint32_t RequestQueue::acquire() {
  std::uint32_t number = 0;
  if (free_requests_.empty()) {
    number = static_cast<std::uint32_t>(requests_.size());
    requests_.emplace_back();
  } else {
    number = free_requests_.back();
    free_requests_.pop_back();
  }
  DriverRequest& r = requests_[number];
  r.data = nullptr;
  r.issued_sectors = 0;
  r.commands = 0;
  r.all_issued = false;
  r.status = nvme::Status::success;
  r.times = nullptr;
  return number;
}

void RequestQueue::open() {
  open_ = true;
  issue_while_room();
  flush_doorbell();
}

std::size_t RequestQueue::close(nvme::Status status) {
  open_ = false;
  waiting_.clear();
  std::vector<std::uint32_t> begun;
  for (std::uint32_t number = 0; number < requests_.size(); ++number) {
    if (requests_[number].begun) begun.push_back(number);
  }
  for (const std::uint32_t number : begun) {
    requests_[number].status = status;
    requests_[number].times = nullptr;
    finish(number, calendar_.now());
  }
  return begun.size();
}

void RequestQueue::begin(std::uint32_t number) {
  requests_[number].begun = true;
  waiting_.push(number);
  issue_while_room();
}

void RequestQueue::issue_while_room() {
  while (open_ && !waiting_.empty() && pair_.has_room()) {
    const std::uint32_t number = waiting_.front();
    issue_part(number);
    if (requests_[number].all_issued) waiting_.pop();
  }
}

std::uint64_t RequestQueue::sectors_per_command(RequestKind kind) const {
  switch (kind) {
    case RequestKind::read:
    case RequestKind::write: return max_transfer_bytes_ / sector_bytes;
    case RequestKind::write_zeroes: return 65536;  // NLB has 16 bits
    case RequestKind::trim: return nvme::most_dataset_ranges * sectors_per_range;
    case RequestKind::flush: break;
  }
  return std::numeric_limits<std::uint64_t>::max();
}

void RequestQueue::issue_part(std::uint32_t number) {
  DriverRequest& r = requests_[number];
  const RequestKind kind = r.request.kind;
  const std::uint64_t sectors = std::min(r.request.sectors - r.issued_sectors, sectors_per_command(kind));
  const std::uint64_t first = r.request.first.value + r.issued_sectors;
  const std::uint64_t offset = r.issued_sectors * sector_bytes;
  const std::uint16_t id = pair_.take_id();

  nvme::SubmissionEntry e;
  std::uint32_t bytes = 0;
  e.nsid = 1;
  e.cdw10 = static_cast<std::uint32_t>(first);
  e.cdw11 = static_cast<std::uint32_t>(first >> 32);
  e.cdw12 = static_cast<std::uint32_t>(sectors - 1);
  switch (kind) {
    case RequestKind::read:
    case RequestKind::write:
      e.opcode = static_cast<std::uint8_t>(kind == RequestKind::read ? IoOpcode::read : IoOpcode::write);
      bytes = static_cast<std::uint32_t>(sectors * sector_bytes);
      if (r.request.force_unit_access) e.cdw12 |= nvme::force_unit_access;
      if (kind == RequestKind::write && r.data != nullptr) {
        memory_.write(pair_.buffer(id), std::span<const std::byte>(r.data + offset, bytes));
      }
      break;
    case RequestKind::write_zeroes: e.opcode = static_cast<std::uint8_t>(IoOpcode::write_zeroes); break;
    case RequestKind::trim: {
      e.opcode = static_cast<std::uint8_t>(IoOpcode::dataset_management);
      e.cdw11 = nvme::deallocate_attribute;
      e.cdw12 = 0;
      std::vector<nvme::DatasetRange> ranges;
      for (std::uint64_t done = 0; done < sectors; done += sectors_per_range) {
        const auto length = static_cast<std::uint32_t>(std::min(sectors - done, sectors_per_range));
        ranges.push_back({.length = length, .start = first + done});
      }
      e.cdw10 = static_cast<std::uint32_t>(ranges.size() - 1);
      memory_.write(pair_.buffer(id), std::as_bytes(std::span(ranges)));
      break;
    }
    case RequestKind::flush:
      e.opcode = static_cast<std::uint8_t>(IoOpcode::flush);
      e.cdw10 = e.cdw11 = e.cdw12 = 0;
      break;
  }
  r.issued_sectors += sectors;
  r.all_issued = r.issued_sectors >= r.request.sectors;
  ++r.commands;
  const Tick sent = submit_time_ == 0 ? calendar_.now() : spend(submit_time_);
  if (times_ != nullptr) [[unlikely]]
    times_->open(pair_.id(), id, r.start);
  pair_.push(id, e, bytes);
  parts_[id] = {number, offset, bytes, command_number(pair_.id(), pair_.pushed()), first, sectors, sent};
}

Tick RequestQueue::spend(Tick time) {
  processor_free_ = std::max(processor_free_, calendar_.now()) + time;
  return processor_free_;
}

// While the queue is closed, its completion entries are from before a reset and are ignored.
void RequestQueue::handle_completions() {
  if (!open_) return;
  pair_.reap([this](const nvme::CompletionEntry& entry) {
    part_ended(entry, completion_time_ == 0 ? std::max(processor_free_, calendar_.now()) : spend(completion_time_));
  });
  if (!waiting_.empty()) issue_while_room();
  flush_doorbell();
}

void RequestQueue::part_ended(const nvme::CompletionEntry& entry, Tick now) {
  const Part part = parts_[entry.command_id];
  DriverRequest& r = requests_[part.request];
  const nvme::Status status = nvme::status_of(entry);
  if (status != nvme::Status::success && r.status == nvme::Status::success) r.status = status;
  if (r.request.kind == RequestKind::read && r.data != nullptr) {
    memory_.read(pair_.buffer(entry.command_id), std::span(r.data + part.offset, part.bytes));
  }
  if (observer_ != nullptr) tell(part, status, now);
  if (times_ != nullptr) [[unlikely]]
    r.times = end_times(entry.command_id, now);
  if (--r.commands != 0 || !r.all_issued) return;
  finish(part.request, now);
}

void RequestQueue::tell(const Part& part, nvme::Status status, Tick now) const {
  const RequestKind kind = requests_[part.request].request.kind;
  observer_->command_ended({.kind = kind,
                            .status = status,
                            .queue = pair_.id(),
                            .number = part.number,
                            .first = Lba(part.first),
                            .sectors = part.sectors,
                            .begin = part.sent,
                            .end = now});
}

// The driver's time for the completion counts as LatencyPart::queue.
const TimeSheet* RequestQueue::end_times(std::uint16_t command_id, Tick now) {
  TimeSheet* const sheet = times_->find(pair_.id(), command_id);
  if (sheet == nullptr) return nullptr;
  sheet->enter(LatencyPart::queue, calendar_.now());
  sheet->end(now);
  times_->close(pair_.id(), command_id);
  return sheet;
}

void RequestQueue::finish(std::uint32_t number, Tick now) {
  requests_[number].begun = false;
  sink_.finished(number, requests_[number], now);
  free_requests_.push_back(number);
}

void RequestQueue::flush_doorbell() {
  if (processor_free_ > calendar_.now()) {
    calendar_.schedule<&RequestQueue::ring>(processor_free_, *this);
  } else {
    pair_.ring_submission();
  }
}

}  // namespace nandscape::host

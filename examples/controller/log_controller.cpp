// SPDX-License-Identifier: Apache-2.0
#include "log_controller.h"

#include <algorithm>
#include <cstring>
#include <utility>

using namespace nandscape;

void LogController::submit(PageAccess& access, Tick now) {
  switch (access.kind) {
    case AccessKind::read: return read(access, now);
    case AccessKind::write: return write(access, now);
    case AccessKind::trim:
      for (std::uint64_t k = 0; k < access.page_count; ++k) map_.erase(access.lpn.value + k);
      return client_->completed(access, now);
    case AccessKind::flush:
      if (writes_ == 0) return client_->completed(access, now);
      flushes_.push_back(&access);
  }
}

void LogController::read(PageAccess& access, Tick now) {
  const auto found = map_.find(access.lpn.value);
  if (found == map_.end()) {
    if (access.data != nullptr) std::memset(access.data, 0, std::size_t{access.sector_count} * sector_bytes);
    return client_->completed(access, now);
  }
  Operation& operation = begin(access, found->second);
  operation.command.operation = NandOperation::read;
  operation.job.kind = EccKind::decode;
  queues_.send(operation.channel, operation.command);
}

// Accepts only writes of whole pages, since this controller cannot merge new data into a stored page.
void LogController::write(PageAccess& access, Tick now) {
  if (next_place_ == facts_.geometry.pages() || std::uint64_t{access.sector_count} * sector_bytes != page_bytes()) {
    access.status = AccessStatus::write_fault;
    return client_->completed(access, now);
  }
  ++writes_;
  Operation& operation = begin(access, next_place_++);
  operation.command.operation = NandOperation::program;
  operation.job.kind = EccKind::encode;
  if (access.data != nullptr) std::memcpy(operation.page.data(), access.data, page_bytes());
  queues_.send(operation.channel, operation.job);
}

LogController::Operation& LogController::begin(PageAccess& access, std::uint64_t place) {
  Operation& operation =
      operations_.emplace_back(access, place, std::vector<std::byte>(facts_.flash.path.buffer_bytes()));
  std::uint64_t rest = place;
  const auto digit = [&rest](std::uint32_t base) {
    return static_cast<std::uint32_t>(std::exchange(rest, rest / base) % base);
  };
  const Geometry& g = facts_.geometry;
  NandCommand& command = operation.command;
  operation.channel = ChannelId(digit(g.channels));
  command.die = DieInChannel(digit(g.dies_per_channel()));
  command.page = digit(g.pages_per_block);
  command.plane = PlaneInDie(digit(g.planes_per_die));
  command.block = BlockInPlane(static_cast<std::uint32_t>(rest));
  command.bytes = operation.job.bytes = g.page_bytes;
  command.data = operation.job.data = operation.page.empty() ? nullptr : operation.page.data();
  command.owner = operation.job.owner = &operation;
  return operation;
}

void LogController::command_ended(NandCommand& command, Tick now) {
  Operation& operation = *static_cast<Operation*>(command.owner);
  if (command.operation == NandOperation::program) {
    if (command.status == NandStatus::fail) return end(operation, AccessStatus::write_fault, now);
    std::uint64_t& place = map_.try_emplace(operation.access.lpn.value, operation.place).first->second;
    place = std::max(place, operation.place);
    return end(operation, AccessStatus::ok, now);
  }
  operation.job.transfer_time = command.response_time;
  operation.job.raw_bit_errors = command.raw_bit_errors;
  operation.job.worst_codeword_errors = command.worst_codeword_errors;
  queues_.send(operation.channel, operation.job);
}

void LogController::job_ended(EccJob& job, Tick now) {
  Operation& operation = *static_cast<Operation*>(job.owner);
  if (job.kind == EccKind::encode) return queues_.send(operation.channel, operation.command);
  PageAccess& access = operation.access;
  if (job.uncorrectable) {
    fail_read(access);
  } else if (access.data != nullptr) {
    std::memcpy(access.data, operation.page.data() + std::size_t{access.first_sector} * sector_bytes,
                std::size_t{access.sector_count} * sector_bytes);
  }
  end(operation, access.status, now);
}

void LogController::end(Operation& operation, AccessStatus status, Tick now) {
  PageAccess& access = operation.access;
  access.status = status;
  operations_.remove_if([&](const Operation& o) { return &o == &operation; });
  client_->completed(access, now);
  if (access.kind != AccessKind::write || --writes_ != 0) return;
  for (PageAccess* const flush : std::exchange(flushes_, {})) client_->completed(*flush, now);
}

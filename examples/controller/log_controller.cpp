// SPDX-License-Identifier: Apache-2.0
#include "log_controller.h"

#include <algorithm>
#include <cstring>

using namespace nandscape;

LogController::LogController(sc_core::sc_module_name name, Calendar& calendar, const DeviceFacts& facts)
    : sc_module(name),
      calendar_(calendar),
      facts_(facts),
      places_(facts.geometry.planes() * facts.geometry.pages_per_plane()) {
  for (unsigned c = 0; c < facts.geometry.channels; ++c) {
    channels_.push_back(std::make_unique<Channel>(*this, ("channel_socket_" + std::to_string(c)).c_str(),
                                                  facts.geometry.dies_per_channel()));
  }
  for (unsigned e = 0; e < facts.path.engine_count(); ++e) {
    decoders_.push_back(std::make_unique<Unit>(*this, ("decode_socket_" + std::to_string(e)).c_str()));
    encoders_.push_back(std::make_unique<Unit>(*this, ("encode_socket_" + std::to_string(e)).c_str()));
  }
}

void LogController::connect(FlashMedia& media) {
  for (unsigned c = 0; c < channels_.size(); ++c) media.connect_channel(c, channels_[c]->port.socket);
  for (unsigned e = 0; e < decoders_.size(); ++e) {
    media.connect_engine(e, decoders_[e]->port.socket, encoders_[e]->port.socket);
  }
}

// --- accesses of the front end

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
  channels_[operation.channel]->send(operation);
}

// Of whole pages: what is left of one cannot be merged with what was there.
void LogController::write(PageAccess& access, Tick now) {
  if (next_place_ == places_ || std::uint64_t{access.sector_count} * sector_bytes != page_bytes()) {
    access.status = AccessStatus::write_fault;
    return client_->completed(access, now);
  }
  ++writes_;
  Operation& operation = begin(access, next_place_++);
  operation.command.operation = NandOperation::program;
  operation.job.kind = EccKind::encode;
  if (access.data != nullptr) std::memcpy(operation.page.data(), access.data, page_bytes());
  unit_of(operation).send(operation);
}

Operation& LogController::begin(PageAccess& access, std::uint64_t place) {
  if (operations_.empty()) {
    operations_.push_back(std::make_unique<Operation>());
    operations_.back()->page.resize(facts_.path.buffer_bytes());
  }
  Operation& operation = *operations_.back().release();
  operations_.pop_back();
  const Geometry& g = facts_.geometry;
  std::uint64_t rest = place;
  const auto digit = [&rest](std::uint32_t base) {
    const auto low = static_cast<std::uint32_t>(rest % base);
    rest /= base;
    return low;
  };
  std::byte* const data = operation.page.empty() ? nullptr : operation.page.data();
  operation.access = &access;
  operation.place = place;
  operation.channel = digit(g.channels);
  operation.command = NandCommand();
  operation.command.bytes = g.page_bytes;
  operation.command.data = data;
  operation.command.owner = &operation;
  operation.command.die = digit(g.dies_per_channel());
  operation.command.page = digit(g.pages_per_block);
  operation.command.plane = digit(g.planes_per_die);
  operation.command.block = static_cast<std::uint32_t>(rest);
  operation.job = EccJob();
  operation.job.bytes = g.page_bytes;
  operation.job.data = data;
  operation.job.owner = &operation;
  return operation;
}

void LogController::from_flash(Operation& operation, Tick now) {
  const NandCommand& command = operation.command;
  if (command.operation == NandOperation::program) {
    const bool failed = command.status == NandStatus::fail;
    if (!failed) {
      std::uint64_t& place = map_.try_emplace(operation.access->lpn.value, operation.place).first->second;
      place = std::max(place, operation.place);
    }
    return end(operation, failed ? AccessStatus::write_fault : AccessStatus::ok, now);
  }
  operation.job.transfer_time = command.response_time;
  operation.job.raw_bit_errors = command.raw_bit_errors;
  operation.job.worst_codeword_errors = command.worst_codeword_errors;
  unit_of(operation).send(operation);
}

void LogController::coded(Operation& operation, Tick now) {
  if (operation.job.kind == EccKind::encode) return channels_[operation.channel]->send(operation);
  PageAccess& access = *operation.access;
  if (operation.job.uncorrectable) {
    fail_read(access);
  } else if (access.data != nullptr) {
    std::memcpy(access.data, operation.page.data() + std::size_t{access.first_sector} * sector_bytes,
                std::size_t{access.sector_count} * sector_bytes);
  }
  end(operation, access.status, now);
}

void LogController::end(Operation& operation, AccessStatus status, Tick now) {
  PageAccess& access = *operation.access;
  access.status = status;
  operations_.emplace_back(&operation);
  client_->completed(access, now);
  if (access.kind != AccessKind::write || --writes_ != 0) return;
  for (PageAccess* const flush : std::exchange(flushes_, {})) client_->completed(*flush, now);
}

LogController::Unit& LogController::unit_of(const Operation& operation) {
  auto& units = operation.job.kind == EccKind::decode ? decoders_ : encoders_;
  return *units[operation.channel % units.size()];
}

// --- to the flash

LogController::Channel::Channel(LogController& owner, const char* name, unsigned dies)
    : controller(owner), port(name, owner.calendar_, *this), busy(dies) {}

void LogController::Channel::send(Operation& operation) {
  waiting.push_back(&operation);
  send_waiting();
}

void LogController::Channel::send_waiting() {
  while (!port.requesting()) {
    const auto next =
        std::find_if(waiting.begin(), waiting.end(), [this](const Operation* o) { return !busy[o->command.die]; });
    if (next == waiting.end()) return;
    NandCommand& command = (*next)->command;
    waiting.erase(next);
    busy[command.die] = true;
    port.begin_request(controller.commands_.acquire(command), command);
  }
}

bool LogController::Channel::response_begins(NandCommand& command, Tick now) {
  auto& operation = *static_cast<Operation*>(command.owner);
  controller.calendar_.schedule<&Channel::response_ends>(now + command.response_time, *this, operation);
  return false;
}

void LogController::Channel::response_ends(Operation& operation) {
  busy[operation.command.die] = false;
  port.end_response(*operation.command.payload);
  send_waiting();
  controller.from_flash(operation, controller.calendar_.now());
}

void LogController::Channel::job_over(Payload& payload) { payload.release(); }

// --- to the engines

void LogController::Unit::send(Operation& operation) {
  waiting.push_back(&operation);
  send_waiting();
}

void LogController::Unit::send_waiting() {
  while (!waiting.empty() && !port.requesting()) {
    EccJob& job = waiting.front()->job;
    waiting.pop_front();
    port.begin_request(controller.jobs_.acquire(job), job);
  }
}

bool LogController::Unit::response_begins(EccJob& job, Tick now) {
  controller.coded(*static_cast<Operation*>(job.owner), now);
  return true;
}

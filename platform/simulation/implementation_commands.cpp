// SPDX-License-Identifier: Apache-2.0
// Single commands of the user, and admin commands.
#include <algorithm>
#include <cstring>
#include <utility>

#include "core/error.h"
#include "platform/simulation/implementation.h"
#include "platform/simulation/smart_log.h"

namespace nandscape {

namespace {

std::uint64_t whole_sectors(std::size_t bytes) {
  if (bytes % sector_bytes != 0) {
    throw RequestError(std::to_string(bytes) + " bytes are not a whole number of sectors of " +
                       std::to_string(sector_bytes) + " bytes");
  }
  return bytes / sector_bytes;
}

RequestStatus status_of(nvme::Status status) {
  switch (status) {
    case nvme::Status::success: return RequestStatus::ok;
    case nvme::Status::unrecovered_read_error: return RequestStatus::unrecovered_read_error;
    case nvme::Status::write_fault: return RequestStatus::write_fault;
    case nvme::Status::namespace_write_protected: return RequestStatus::write_protected;
    case nvme::Status::abort_requested: return RequestStatus::aborted;
    case nvme::Status::power_loss: return RequestStatus::power_lost;
    default: return RequestStatus::refused;
  }
}

}  // namespace

void Simulation::Implementation::check_range(const host::HostRequest& request) const {
  const std::uint64_t capacity = capacity_bytes() / sector_bytes;
  if (request.sectors == 0) throw RequestError("a request of no sectors: it has at least one");
  if (request.sectors > capacity || request.first.value > capacity - request.sectors) {
    throw RequestError("sectors " + std::to_string(request.first.value) + " to " +
                       std::to_string(request.first.value + request.sectors) +
                       " (exclusive) are not all within the capacity of " + std::to_string(capacity) + " sectors");
  }
}

CommandHandle Simulation::Implementation::start_read(std::uint64_t lba, std::uint64_t bytes) {
  const host::HostRequest request{host::RequestKind::read, Lba(lba), whole_sectors(bytes)};
  check_range(request);
  return start(request, std::vector<std::byte>(bytes));
}

CommandHandle Simulation::Implementation::start_write(std::uint64_t lba, std::vector<std::byte> data,
                                                      bool force_unit_access) {
  const host::HostRequest request{host::RequestKind::write, Lba(lba), whole_sectors(data.size()), 0, force_unit_access};
  check_range(request);
  return start(request, std::move(data));
}

CommandHandle Simulation::Implementation::start_trim(std::uint64_t lba, std::uint64_t sectors) {
  const host::HostRequest request{host::RequestKind::trim, Lba(lba), sectors};
  check_range(request);
  return start(request);
}

CommandHandle Simulation::Implementation::start_flush() { return start({host::RequestKind::flush, Lba(0), 0}); }

// `data` has the size of the request, or is empty if the request moves no data.
CommandHandle Simulation::Implementation::start(const host::HostRequest& request, std::vector<std::byte> data) {
  bring_up();
  window_.reopen();
  auto command = std::make_shared<HostCommand>(request, std::move(data));
  command->simulation_ = identity_;
  command->start_ = now();
  outstanding_.push_back(command);
  const bool moves_data = configuration.parameters.simulation.data != DataFidelity::none && !command->data_.empty();
  driver().submit(request, moves_data ? command->data_.data() : nullptr, [this, command](nvme::Status status, Tick at) {
    end(command, status_of(status), at, driver().finished_times());
  });
  return command;
}

Tick Simulation::Implementation::wait(const CommandHandle& command) {
  if (command == nullptr || command->simulation_ != identity_) {
    throw RequestError("the command belongs to another simulation; wait for it there");
  }
  if (!command->done()) run_events(never, {}, command.get());
  if (!command->done()) fail_outstanding(RequestStatus::write_fault);
  if (command->status() != RequestStatus::ok) {
    throw RequestError(text_of(*command), std::string(name_of(command->status())));
  }
  return command->latency();
}

void Simulation::Implementation::wait_all() {
  while (!outstanding_.empty()) {
    const CommandHandle last = outstanding_.back();
    run_events(never, {}, last.get());
    if (!last->done()) fail_outstanding(RequestStatus::write_fault);
  }
}

void Simulation::Implementation::wait_any(Tick limit) {
  if (!commands_open() && limit == never) return;
  const std::uint64_t before = ends_;
  run_events(std::max(limit, now()), {}, &ends_);
  if (limit == never && ends_ == before) fail_outstanding(RequestStatus::write_fault);
}

void Simulation::Implementation::end(const CommandHandle& command, RequestStatus status, Tick now,
                                     const TimeSheet* times) {
  if (command->done()) return;  // fail_outstanding() has ended it
  if (command->request_.kind == host::RequestKind::write) command->data_ = {};
  command->status_ = status;
  command->latency_ = now - command->start_;
  command->done_.store(true, std::memory_order_release);
  std::erase(outstanding_, command);
  recorder_.record(recorder_.single_commands(), command->request_, command->start_, now, status, times);
  ++ends_;
  arrived(command.get());
  arrived(&ends_);
}

// Called when nothing is left that could complete the commands.
void Simulation::Implementation::fail_outstanding(RequestStatus status) {
  while (!outstanding_.empty()) end(CommandHandle(outstanding_.front()), status, now(), nullptr);
}

std::string Simulation::Implementation::text_of(const HostCommand& command) {
  const std::string text = nandscape::text_of(command.status());
  const std::string report = power_ ? drive().stall_report() : "";
  const bool due_to_it =
      command.status() == RequestStatus::write_fault || command.status() == RequestStatus::write_protected;
  return report.empty() || !due_to_it ? text : text + ": " + report;
}

void Simulation::Implementation::completed(std::size_t workload, const host::HostRequest& request, Tick start, Tick now,
                                           nvme::Status status, const TimeSheet* times) {
  recorder_.record(workload, request, start, now, status_of(status), times);
  if (warming_ || now >= rounds_.next()) [[unlikely]]
    look_at_window(now);
}

void Simulation::Implementation::ended(std::size_t) {
  if (!driver().workloads_done()) return;
  rounds_.stop();
  if (!window_.ending()) window_.end(moment());
  ++ends_;
  arrived(&ends_);
}

Value Simulation::Implementation::identify() {
  bring_up();
  const host::ControllerFacts& facts = driver().controller();
  constexpr std::uint8_t present = 1;
  constexpr std::uint8_t reads_as = 0x7;
  constexpr std::uint8_t zeroes = 1;
  return Value(Value::Map{
      {"volatile_write_cache", (facts.volatile_write_cache & present) != 0},
      {"atomic_write_sectors", int{facts.atomic_write} + 1},
      {"atomic_write_sectors_power_fail", int{facts.atomic_in_power_fail} + 1},
      {"deallocated_reads_zeroes", (facts.deallocated & reads_as) == zeroes},
  });
}

Value Simulation::Implementation::smart_log() {
  window_.reopen();
  bring_up();
  const auto log = std::make_shared<std::optional<nvme::SmartLog>>();
  // The answer may arrive after an interrupted call, so the callback holds a weak pointer.
  driver().get_log_page(
      nvme::LogPage::smart, sizeof(nvme::SmartLog),
      [this, asked = std::weak_ptr(log)](const nvme::CompletionEntry&, std::span<const std::byte> data) {
        const auto answer = asked.lock();
        if (answer == nullptr) return;
        std::memcpy(&answer->emplace(), data.data(), sizeof(nvme::SmartLog));
        arrived(answer.get());
      });
  run_until_done([&] { return log->has_value(); }, log.get(), "an admin command was never completed");
  return value_of(**log);
}

void Simulation::Implementation::reset() {
  window_.reopen();
  bring_up();
  coming_up_ = true;
  mark("controller reset");
  driver().reset([this] { arrived(&coming_up_); });
  bring_up();
}

}  // namespace nandscape

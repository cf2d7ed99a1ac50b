// SPDX-License-Identifier: Apache-2.0
#include "platform/simulation/host_traffic.h"

#include <atomic>
#include <utility>

#include "core/error.h"
#include "platform/config/configuration_checks.h"
#include "platform/simulation/called_back_requests.h"

namespace nandscape {

namespace {

std::uint64_t next_identity() {
  static std::atomic<std::uint64_t> latest = 0;
  return ++latest;
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

// Creates the traffic of the configured workloads. An exception of user code that generates requests is stored in
// `raised_` and ends the run.
HostTraffic::HostTraffic(const Configuration& configuration, PowerCycles& cycles, Measurement& measurement,
                         Ownership& ownership, host::RequestSupplies supplies)
    : configuration_(configuration),
      cycles_(cycles),
      measurement_(measurement),
      supplies_(std::move(supplies)),
      identity_(next_identity()) {
  const auto failed = [this](std::exception_ptr why) {
    raised_ = std::move(why);
    cycles_.calendar().stop();
  };
  for (auto& [name, supply] : supplies_) {
    if (supply->calls_back()) supply = std::make_shared<CalledBackRequests>(std::move(supply), ownership, failed);
  }
}

void HostTraffic::must_be_idle(const char* before) const {
  if (!under_way()) return;
  throw RequestError(std::string("commands or workloads are under way; they must end before ") + before);
}

// --- workloads

void HostTraffic::open_workloads() {
  const std::vector<host::WorkloadParameters>& workloads = configuration_.parameters.host.workload;
  sources_.clear();
  workloads_ran_ = false;
  expected_ = measurement_.recorder().completed();
  for (std::size_t k = 0; k < workloads.size(); ++k) {
    const std::string path = workloads.size() == 1 ? "host.workload" : "host.workload." + std::to_string(k);
    sources_.push_back(make_source(workloads[k], path));
    expected_ += sources_.back()->expected_requests();
  }
  add_workloads();
}

void HostTraffic::add_workloads() {
  if (!cycles_.has_driver()) return;
  const std::vector<host::WorkloadParameters>& workloads = configuration_.parameters.host.workload;
  for (std::size_t k = 0; k < workloads.size(); ++k) {
    const host::IssueMode mode = is_open_loop(workloads[k]) ? host::IssueMode::open_loop : host::IssueMode::closed_loop;
    host::WorkloadSettings settings{mode, workloads[k].queue_depth, workloads[k].priority};
    if (workloads[k].duration_ms > 0) settings.duration = ticks_from_ms(workloads[k].duration_ms);
    cycles_.driver().add_workload(*sources_[k], settings, *this);
  }
}

std::unique_ptr<host::WorkloadSource> HostTraffic::make_source(const host::WorkloadParameters& workload,
                                                               const std::string& path) {
  const double filled = configuration_.parameters.controller.precondition.occupancy;
  try {
    return make_workload(workload, cycles_.capacity_bytes() / sector_bytes, filled > 0 ? filled : 1,
                         configuration_.parameters.simulation.seed, path, supplies_);
  } catch (const ConfigError& error) {
    throw ConfigError(source_of(configuration_.given, error.path()), error.path(), error.complaint());
  }
}

void HostTraffic::require_workloads() const {
  if (cycles_.on() && cycles_.machine().host().pci_port() != nullptr) cycles_.driver();  // throws
  if (workloads_ran_)
    throw RequestError("the configured workloads were already run; create another Simulation to repeat them");
}

void HostTraffic::start_workloads(RunEnd end) {
  workloads_ran_ = true;
  workloads_started_ = true;
  measurement_.begin(end);
  if (cycles_.has_driver()) cycles_.driver().start_workloads();
  rethrow_raised();
}

bool HostTraffic::workloads_under_way() const {
  return workloads_started_ && cycles_.has_driver() && !cycles_.driver().workloads_done();
}

void HostTraffic::rethrow_raised() {
  if (raised_) std::rethrow_exception(std::exchange(raised_, nullptr));
}

void HostTraffic::completed(std::size_t workload, const host::DriverRequest& request, Tick now) {
  RequestRecorder& recorder = measurement_.recorder();
  const bool usual = request.status == nvme::Status::success && recorder.keeps_totals_only(workload);
  if (!usual || measurement_.window_is_due(now)) [[unlikely]]
    return record_more(workload, request, now);
  recorder.record_total(workload, request.request, request.start, now);
}

void HostTraffic::record_more(std::size_t workload, const host::DriverRequest& request, Tick now) {
  measurement_.recorder().record(workload, request.request, request.start, now, status_of(request.status),
                                 request.times);
  measurement_.request_ended(now);
}

void HostTraffic::ended(std::size_t) {
  if (!cycles_.driver().workloads_done()) return;
  measurement_.workloads_ended();
  ++ends_;
  arrived(&ends_);
}

// --- single commands

CommandHandle HostTraffic::start(const host::HostRequest& request, std::vector<std::byte> data) {
  auto command = std::make_shared<HostCommand>(request, std::move(data));
  command->simulation_ = identity_;
  command->start_ = cycles_.now();
  command->place_ = outstanding_.insert(outstanding_.end(), command);
  const bool moves_data = configuration_.parameters.simulation.data != DataFidelity::none && !command->data_.empty();
  host::Driver& driver = cycles_.driver();
  driver.submit(request, moves_data ? command->data_.data() : nullptr,
                [this, command, &driver](nvme::Status status, Tick at) {
                  end(command, status_of(status), at, driver.finished_times());
                });
  return command;
}

bool HostTraffic::owns(const CommandHandle& command) const {
  return command != nullptr && command->simulation_ == identity_;
}

void HostTraffic::end(const CommandHandle& command, RequestStatus status, Tick now, const TimeSheet* times) {
  if (command->done()) return;  // fail_outstanding() has ended it
  if (command->request_.kind == host::RequestKind::write) command->data_ = {};
  command->status_ = status;
  command->latency_ = now - command->start_;
  command->done_.store(true, std::memory_order_release);
  outstanding_.erase(command->place_);
  RequestRecorder& recorder = measurement_.recorder();
  recorder.record(recorder.single_commands(), command->request_, command->start_, now, status, times);
  ++ends_;
  arrived(command.get());
  arrived(&ends_);
}

void HostTraffic::fail_outstanding(RequestStatus status) {
  while (!outstanding_.empty()) end(CommandHandle(outstanding_.front()), status, cycles_.now(), nullptr);
}

}  // namespace nandscape

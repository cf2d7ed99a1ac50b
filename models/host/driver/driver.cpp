// SPDX-License-Identifier: Apache-2.0
#include "host/driver/driver.h"

#include <algorithm>
#include <utility>

#include "core/error.h"

namespace nandscape::host {

Driver::Driver(Calendar& calendar, const DriverParameters& parameters, HostMemory& memory, RegisterPort& registers)
    : calendar_(calendar), parameters_(parameters), memory_(memory), registers_(registers), admin_(memory, registers) {}

void Driver::add_workload(WorkloadSource& source, const WorkloadSettings& settings, RequestObserver& observer) {
  workloads_.push_back(std::make_unique<WorkloadRunner>(calendar_, workloads_.size(), source, settings, observer));
}

void Driver::start(Up up) {
  up_ = std::move(up);
  const auto io_queues = static_cast<std::uint32_t>(workloads_.size() + 1);
  bring_up_ = std::make_unique<BringUp>(
      calendar_, parameters_, memory_, registers_, admin_, io_queues,
      [this](const ControllerFacts& facts) { return make_queues(facts); }, [this] { this->up(); });
  bring_up_->start();
}

void Driver::reset(Up up) {
  up_ = std::move(up);
  bring_up_->restart();
  for (const auto& queue : queues_) queue->close(nvme::Status::abort_requested);
}

void Driver::up() {
  for (const auto& queue : queues_) queue->open();
  up_();
}

std::vector<BringUp::QueueToCreate> Driver::make_queues(const ControllerFacts& facts) {
  const auto priority_of = [this](std::size_t queue) {
    return queue < workloads_.size() ? workloads_[queue]->settings().priority : WorkloadSettings{}.priority;
  };
  if (queues_.empty()) make_request_queues(facts);
  std::vector<BringUp::QueueToCreate> to_create;
  for (std::size_t k = 0; k < queues_.size(); ++k) {
    queues_[k]->pair().clear();
    to_create.push_back({&queues_[k]->pair(), priority_of(k)});
  }
  return to_create;
}

void Driver::make_request_queues(const ControllerFacts& facts) {
  QueuePair::Layout layout;
  layout.entries = std::min(parameters_.queue_entries, facts.max_queue_entries);
  layout.buffer_bytes = std::max(facts.max_transfer_bytes, parameters_.memory_page_bytes);
  layout.memory_page_bytes = parameters_.memory_page_bytes;
  const auto make = [&](RequestSink& sink) {
    layout.id = static_cast<std::uint16_t>(queues_.size() + 1);
    queues_.push_back(std::make_unique<RequestQueue>(calendar_, parameters_, memory_, registers_, layout,
                                                     facts.max_transfer_bytes, sink));
    queues_.back()->observe(observer_);
    if (times_ != nullptr) queues_.back()->keep_times(*times_);
  };
  for (const auto& workload : workloads_) make(*workload);
  make(*this);
}

void Driver::interrupt(std::uint32_t message) {
  if (message == 0) return admin_.interrupt();
  if (message > queues_.size()) throw ProtocolError("the data of an interrupt message is not the number of a queue");
  queues_[message - 1]->handle_completions();
}

void Driver::start_workloads() {
  for (std::size_t k = 0; k < workloads_.size(); ++k) workloads_[k]->start(*queues_[k]);
}

void Driver::stop_workloads() {
  for (const auto& workload : workloads_) workload->stop();
}

void Driver::power_lost() {
  stop_workloads();
  for (const auto& queue : queues_) {
    while (queue->close(nvme::Status::power_loss) != 0) continue;
  }
}

bool Driver::workloads_done() const {
  return std::all_of(workloads_.begin(), workloads_.end(), [](const auto& workload) { return workload->done(); });
}

void Driver::submit(const HostRequest& request, std::byte* data, Done done) {
  RequestQueue& queue = *queues_.back();
  DriverRequest& r = queue.acquire();
  if (callbacks_.size() <= r.number) callbacks_.resize(r.number + 1);
  callbacks_[r.number] = std::move(done);
  r.request = request;
  r.start = calendar_.now();
  r.data = data;
  queue.begin(r);
  queue.flush_doorbell();
}

// The field NUMD holds the number of doublewords minus 1.
void Driver::get_log_page(nvme::LogPage page, std::uint32_t bytes, AdminQueue::Answer answer) {
  nvme::SubmissionEntry e;
  e.opcode = static_cast<std::uint8_t>(nvme::AdminOpcode::get_log_page);
  e.nsid = 0xffff'ffff;  // all namespaces: selects the log page of the controller
  e.cdw10 = (bytes / 4 - 1) << 16 | static_cast<std::uint32_t>(page);
  admin_.send(e, bytes, std::move(answer));
  admin_.ring();
}

void Driver::get_feature(nvme::Feature feature, AdminQueue::Answer answer) {
  nvme::SubmissionEntry e;
  e.opcode = static_cast<std::uint8_t>(nvme::AdminOpcode::get_features);
  e.cdw10 = static_cast<std::uint32_t>(feature);
  admin_.send(e, AdminQueue::buffer_bytes, std::move(answer));
  admin_.ring();
}

void Driver::set_feature(nvme::Feature feature, std::uint32_t value, std::span<const std::byte> data,
                         AdminQueue::Answer answer) {
  nvme::SubmissionEntry e;
  e.opcode = static_cast<std::uint8_t>(nvme::AdminOpcode::set_features);
  e.cdw10 = static_cast<std::uint32_t>(feature);
  e.cdw11 = value;
  admin_.send_data(e, data, std::move(answer));
  admin_.ring();
}

// Called when a single command has finished; the queues of the workloads have their workloads as sinks instead.
void Driver::finished(const DriverRequest& request, Tick now) {
  finished_times_ = request.times;
  std::exchange(callbacks_[request.number], {})(request.status, now);
  finished_times_ = nullptr;
}

}  // namespace nandscape::host

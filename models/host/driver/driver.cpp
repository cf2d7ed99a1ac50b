// SPDX-License-Identifier: Apache-2.0
#include "host/driver/driver.h"

#include <algorithm>
#include <utility>

#include "core/error.h"

namespace nandscape {

Driver::Driver(Calendar& calendar, const DriverParameters& parameters, HostMemory& memory, RegisterPort& registers)
    : calendar_(calendar), parameters_(parameters), memory_(memory), registers_(registers) {}

void Driver::add_workload(WorkloadSource& source, const WorkloadSettings& settings, RequestObserver& observer) {
  workloads_.push_back(std::make_unique<WorkloadRunner>(calendar_, workloads_.size(), source, settings, observer));
}

void Driver::start() {
  const auto io_queues = static_cast<std::uint32_t>(workloads_.size() + 1);
  bring_up_ = std::make_unique<BringUp>(calendar_, parameters_, memory_, registers_, io_queues,
                                        [this](const ControllerFacts& facts) { return make_queues(facts); });
  bring_up_->start();
}

std::vector<BringUp::QueueToCreate> Driver::make_queues(const ControllerFacts& facts) {
  std::vector<BringUp::QueueToCreate> to_create;
  QueuePair::Layout layout;
  layout.entries = std::min(parameters_.queue_entries, facts.max_queue_entries);
  layout.buffer_bytes = std::max(facts.max_transfer_bytes, parameters_.memory_page_bytes);
  layout.memory_page_bytes = parameters_.memory_page_bytes;
  const auto make = [&](RequestSink& sink, std::uint8_t priority) {
    layout.id = static_cast<std::uint16_t>(queues_.size() + 1);
    queues_.push_back(std::make_unique<RequestQueue>(calendar_, parameters_, memory_, registers_, layout,
                                                     facts.max_transfer_bytes, sink));
    to_create.push_back({&queues_.back()->pair(), priority});
  };
  for (const auto& workload : workloads_) make(*workload, workload->settings().priority);
  make(*this, WorkloadSettings{}.priority);
  return to_create;
}

void Driver::interrupt(std::uint32_t message) {
  if (message == 0) return bring_up_->interrupt();
  if (message > queues_.size()) throw ProtocolError("an interrupt message names no queue");
  queues_[message - 1]->handle_completions();
}

void Driver::start_workloads() {
  for (std::size_t k = 0; k < workloads_.size(); ++k) workloads_[k]->start(*queues_[k]);
}

void Driver::stop_workloads() {
  for (const auto& workload : workloads_) workload->stop();
}

bool Driver::workloads_done() const {
  return std::all_of(workloads_.begin(), workloads_.end(), [](const auto& workload) { return workload->done(); });
}

void Driver::submit(const HostRequest& request, std::byte* data, Done done) {
  RequestQueue& queue = *queues_.back();
  const std::uint32_t number = queue.acquire();
  if (callbacks_.size() <= number) callbacks_.resize(number + 1);
  callbacks_[number] = std::move(done);
  DriverRequest& r = queue[number];
  r.request = request;
  r.start = calendar_.now();
  r.data = data;
  queue.begin(number);
  queue.flush_doorbell();
}

// Of a single command.
void Driver::finished(std::uint32_t number, const DriverRequest& request, Tick now) {
  std::exchange(callbacks_[number], {})(request.status, now);
}

}  // namespace nandscape

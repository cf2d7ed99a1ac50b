// SPDX-License-Identifier: Apache-2.0
// The host's NVMe driver: one queue pair for each workload, in their order from identifier 1 on, and a last one for
// single commands.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <vector>

#include "core/calendar.h"
#include "host/driver/admin_queue.h"
#include "host/driver/bring_up.h"
#include "host/driver/driver_parameters.h"
#include "host/driver/request_queue.h"
#include "host/driver/workload_runner.h"
#include "host/memory/interrupt_sink.h"

namespace nandscape::host {

class Driver final : public InterruptSink, private RequestSink {
 public:
  using Done = std::function<void(nvme::Status status, Tick now)>;

  Driver(Calendar& calendar, const DriverParameters& parameters, HostMemory& memory, RegisterPort& registers);

  // Before start(). Source and observer must outlive the driver.
  void add_workload(WorkloadSource& source, const WorkloadSettings& settings, RequestObserver& observer);

  // Begins to bring the controller up; the rest happens by interrupts, until ready(), when `up` is called.
  using Up = std::function<void()>;
  void start(Up up = [] {});
  // Once ready. Resets the controller under whatever it is doing: the requests begun so far finish as aborted, further
  // ones wait until it is ready again.
  void reset(Up up = [] {});
  bool ready() const { return bring_up_ != nullptr && bring_up_->ready(); }
  const ControllerFacts& controller() const { return bring_up_->facts(); }

  // Once ready.
  void start_workloads();
  void stop_workloads();
  bool workloads_done() const;

  // Before start(). Where the time of each request goes is told from now on.
  void keep_times(CommandTimes& times) { times_ = &times; }

  // One request outside the workloads. `data` is read or written until `done` is called, and may be null.
  void submit(const HostRequest& request, std::byte* data, Done done);
  // While `done` is called: where its time went, if that is known; else null.
  const TimeSheet* finished_times() const { return finished_times_; }
  // One Get Log Page, of at most AdminQueue::buffer_bytes.
  void get_log_page(nvme::LogPage page, std::uint32_t bytes, AdminQueue::Answer answer);
  // Tells the controller of a normal shutdown; CSTS.SHST says when it is complete.
  void shut_down() { bring_up_->shut_down(); }
  // The drive has lost its power: all requests finish so, those too that have arrived and wait in the driver.
  void power_lost();

  void interrupt(std::uint32_t message) override;

 private:
  std::vector<BringUp::QueueToCreate> make_queues(const ControllerFacts& facts);
  void make_request_queues(const ControllerFacts& facts);
  void up();
  void finished(std::uint32_t number, const DriverRequest& request, Tick now) override;

  Calendar& calendar_;
  const DriverParameters parameters_;
  HostMemory& memory_;
  RegisterPort& registers_;
  std::vector<std::unique_ptr<WorkloadRunner>> workloads_;
  std::vector<std::unique_ptr<RequestQueue>> queues_;  // queue k + 1 of the controller
  AdminQueue admin_;
  std::unique_ptr<BringUp> bring_up_;
  Up up_;
  std::vector<Done> callbacks_;  // of single commands, by request number
  CommandTimes* times_ = nullptr;
  const TimeSheet* finished_times_ = nullptr;
};

}  // namespace nandscape::host

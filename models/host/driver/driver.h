// SPDX-License-Identifier: Apache-2.0
// The host's NVMe driver. It has one queue pair for each workload, numbered from 1 in the order of the workloads, and
// one more queue pair for single commands, which has the highest number.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
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

  // Adds a workload. Call before start(). `source` and `observer` must outlive the driver.
  void add_workload(WorkloadSource& source, const WorkloadSettings& settings, RequestObserver& observer);

  // Makes the driver notify `observer` of every I/O command. Call before start(). `observer` must outlive the driver.
  void observe(CommandObserver& observer) { observer_ = &observer; }

  // Starts to bring the controller up and returns; interrupts and polls of the driver do the remaining work. Calls `up`
  // when ready() holds.
  using Up = std::function<void()>;
  void start(Up up = [] {});
  // Resets the controller; ready() must have held before. Requests in flight finish with status abort_requested.
  // Requests that are submitted later wait until the controller is ready again. Then `up` is called.
  void reset(Up up = [] {});
  bool ready() const { return bring_up_ != nullptr && bring_up_->ready(); }
  const ControllerFacts& controller() const { return bring_up_->facts(); }

  // Starts the workloads. ready() must hold.
  void start_workloads();
  void stop_workloads();
  bool workloads_done() const;

  // Makes the driver record a time sheet of each I/O command in `times`. Call before start().
  void keep_times(CommandTimes& times) { times_ = &times; }

  // Issues one request that belongs to no workload; ready() must have held. `data` is the buffer of the request and may
  // be null. The caller must keep the buffer until `done` is called.
  void submit(const HostRequest& request, std::byte* data, Done done);
  // Returns the time sheet of the request whose `done` callback is running. Returns null outside of such a callback, or
  // if the driver keeps no time sheets.
  const TimeSheet* finished_times() const { return finished_times_; }
  // Sends one Get Log Page command for `bytes` bytes, at most AdminQueue::buffer_bytes.
  void get_log_page(nvme::LogPage page, std::uint32_t bytes, AdminQueue::Answer answer);
  // Send one Get Features or Set Features command for the present value of a feature. `data` are at most
  // AdminQueue::buffer_bytes.
  void get_feature(nvme::Feature feature, AdminQueue::Answer answer);
  void set_feature(nvme::Feature feature, std::uint32_t value, std::span<const std::byte> data,
                   AdminQueue::Answer answer);
  // Requests a normal shutdown (CC.SHN). The controller reports in CSTS.SHST when the shutdown is complete.
  void shut_down() { bring_up_->shut_down(); }
  // Call when the drive loses power. Stops the workloads and finishes every request with status power_loss, including
  // the requests that still wait in the driver.
  void power_lost();

  void interrupt(std::uint32_t message) override;

 private:
  std::vector<BringUp::QueueToCreate> make_queues(const ControllerFacts& facts);
  void make_request_queues(const ControllerFacts& facts);
  void up();
  void finished(const DriverRequest& request, Tick now) override;

  Calendar& calendar_;
  const DriverParameters parameters_;
  HostMemory& memory_;
  RegisterPort& registers_;
  std::vector<std::unique_ptr<WorkloadRunner>> workloads_;
  std::vector<std::unique_ptr<RequestQueue>> queues_;  // element k is the queue with identifier k + 1
  CommandObserver* observer_ = nullptr;
  AdminQueue admin_;
  std::unique_ptr<BringUp> bring_up_;
  Up up_;
  std::vector<Done> callbacks_;  // callbacks of single commands, indexed by request number
  CommandTimes* times_ = nullptr;
  const TimeSheet* finished_times_ = nullptr;
};

}  // namespace nandscape::host

// SPDX-License-Identifier: Apache-2.0
// The host's NVMe driver. It has one queue pair for each workload, numbered from 1 in the order of the workloads, and a
// last one for single commands.
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

  // Call before start(). Source and observer must outlive the driver.
  void add_workload(WorkloadSource& source, const WorkloadSettings& settings, RequestObserver& observer);

  // Call before start(). The driver notifies `observer`, which must outlive it, of every I/O command.
  void observe(CommandObserver& observer) { observer_ = &observer; }

  // Begins to bring the controller up; interrupts and polls continue the work. Calls `up` once ready() holds.
  using Up = std::function<void()>;
  void start(Up up = [] {});
  // Resets the controller in any state after it was first ready(). Requests in flight finish with status
  // abort_requested. Later requests wait until the controller is ready again; then `up` is called.
  void reset(Up up = [] {});
  bool ready() const { return bring_up_ != nullptr && bring_up_->ready(); }
  const ControllerFacts& controller() const { return bring_up_->facts(); }

  // ready() must hold.
  void start_workloads();
  void stop_workloads();
  bool workloads_done() const;

  // Call before start(). Each command gets a time sheet in `times`.
  void keep_times(CommandTimes& times) { times_ = &times; }

  // Issues one request outside the workloads; ready() must have held. `data` is read or written until `done` is
  // called, and may be null.
  void submit(const HostRequest& request, std::byte* data, Done done);
  // The time sheet of the request whose `done` is being called; null outside of such a call or if none was kept.
  const TimeSheet* finished_times() const { return finished_times_; }
  // Sends one Get Log Page command for at most AdminQueue::buffer_bytes.
  void get_log_page(nvme::LogPage page, std::uint32_t bytes, AdminQueue::Answer answer);
  // Requests a normal shutdown (CC.SHN); CSTS.SHST shows when it is complete.
  void shut_down() { bring_up_->shut_down(); }
  // Call when the drive loses its power. The workloads stop, and every request finishes with status power_loss,
  // including requests that wait in the driver.
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
  std::vector<std::unique_ptr<RequestQueue>> queues_;  // element k is queue k + 1 of the controller
  CommandObserver* observer_ = nullptr;
  AdminQueue admin_;
  std::unique_ptr<BringUp> bring_up_;
  Up up_;
  std::vector<Done> callbacks_;  // callbacks of single commands, by request number
  CommandTimes* times_ = nullptr;
  const TimeSheet* finished_times_ = nullptr;
};

}  // namespace nandscape::host

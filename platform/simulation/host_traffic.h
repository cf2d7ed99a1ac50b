// SPDX-License-Identifier: Apache-2.0
// The traffic of the host: the configured workloads, and single commands. Passes both to the driver and records their
// completions. This class does not run simulated time; see EventLoop.
#pragma once

#include <cstddef>
#include <cstdint>
#include <exception>
#include <list>
#include <memory>
#include <string>
#include <vector>

#include "host/driver/driver.h"
#include "host/workloads/given/request_supply.h"
#include "platform/simulation/host_command.h"
#include "platform/simulation/measurement.h"
#include "platform/simulation/ownership.h"
#include "platform/simulation/power_cycles.h"

namespace nandscape {

class HostTraffic final : private host::RequestObserver {
 public:
  // All arguments must outlive this object.
  HostTraffic(const Configuration& configuration, PowerCycles& cycles, Measurement& measurement, Ownership& ownership,
              host::RequestSupplies supplies);
  // Ends open commands with status power_lost.
  ~HostTraffic() { fail_outstanding(RequestStatus::power_lost); }

  // Returns whether a command is in flight or a workload is running.
  bool under_way() const { return !outstanding_.empty() || workloads_under_way(); }
  // Throws RequestError if a command is in flight or a workload is running. `before` is used in the message and says
  // what needs an idle drive.
  void must_be_idle(const char* before) const;
  // Returns the numbers of completed and expected requests, and the current simulated time.
  Progress progress() const { return {measurement_.recorder().completed(), expected_, cycles_.now()}; }
  // Called when the supply has failed. The workloads do not resume afterwards.
  void power_ended() { workloads_started_ = false; }

  // --- workloads

  // Opens the workloads from their beginning.
  void open_workloads();
  // Passes the workloads to the driver of a new power cycle. The driver requests one queue pair for each workload when
  // it brings up the controller.
  void add_workloads();
  // Throws RequestError if the workloads have already been started.
  void require_workloads() const;
  // Starts the workloads. Throws ConfigError if simulation.steady.figure is not a statistic of the drive
  // (Measurement::begin()).
  void start_workloads(RunEnd end);
  bool workloads_under_way() const;
  // Returns whether the calling program supplies the requests of a workload.
  bool has_supplies() const { return !supplies_.empty(); }
  // Rethrows an exception of user code that generates requests, if there is one. Each exception is rethrown only once.
  void rethrow_raised();

  // --- single commands

  // Starts a command. `data` must have the size of the request, or be empty if the request does not transfer data.
  CommandHandle start(const host::HostRequest& request, std::vector<std::byte> data);
  bool owns(const CommandHandle& command) const;
  // The commands in flight, in the order in which they were started.
  const std::list<CommandHandle>& outstanding() const { return outstanding_; }
  // Ends all commands in flight with this status. Call it when no event can complete them any longer.
  void fail_outstanding(RequestStatus status);
  // A counter that is incremented when a single command has ended, and each time that all workloads have ended. Each
  // increment calls arrived(&ends()), so a call can wait for the next change.
  const std::uint64_t& ends() const { return ends_; }

  // --- the object for which the current call waits; its arrival stops the calendar

  void await(const void* what) { awaited_ = what; }
  void arrived(const void* what) {
    if (awaited_ == what) cycles_.calendar().stop();
  }

 private:
  std::unique_ptr<host::WorkloadSource> make_source(const host::WorkloadParameters& workload, const std::string& path);
  void end(const CommandHandle& command, RequestStatus status, Tick now, const TimeSheet* times);

  // Implementation of RequestObserver.
  void completed(std::size_t workload, const host::DriverRequest& request, Tick now) override;
  // Records a request that has failed, needs more than the totals, or may end the warm-up or a round.
  void record_more(std::size_t workload, const host::DriverRequest& request, Tick now);
  void ended(std::size_t workload) override;

  const Configuration& configuration_;
  PowerCycles& cycles_;
  Measurement& measurement_;
  host::RequestSupplies supplies_;
  std::exception_ptr raised_;  // exception thrown by user code that generates requests
  std::vector<std::unique_ptr<host::WorkloadSource>> sources_;
  bool workloads_ran_ = false;
  bool workloads_started_ = false;  // whether the workloads have been started since the last power-on
  std::uint64_t expected_ = 0;
  const std::uint64_t identity_;
  std::list<CommandHandle> outstanding_;
  std::uint64_t ends_ = 0;
  const void* awaited_ = nullptr;
};

}  // namespace nandscape

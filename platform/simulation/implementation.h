// SPDX-License-Identifier: Apache-2.0
// The implementation of Simulation: the platform while it has power, its saved state while it has none, the workloads,
// single commands, and the records of both.
#pragma once

#include <cstddef>
#include <cstdint>
#include <exception>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "host/driver/driver.h"
#include "platform/simulation/measured_window.h"
#include "platform/simulation/ownership.h"
#include "platform/simulation/power_cycle.h"
#include "platform/simulation/request_recorder.h"
#include "platform/simulation/rounds.h"
#include "platform/simulation/simulation.h"
#include "platform/simulation/steady_state.h"
#include "platform/timeline/timeline.h"

namespace nandscape {

class Simulation::Implementation final : private host::RequestObserver, private SimulatedTime {
 public:
  Implementation(Configuration given, host::RequestSupplies supplies);
  // Continues from the state of another simulation.
  Implementation(Configuration given, host::RequestSupplies supplies, std::span<const std::byte> state);
  // Ends open commands with status power_lost.
  ~Implementation() { fail_outstanding(RequestStatus::power_lost); }

  std::uint64_t capacity_bytes() const { return capacity_bytes_; }
  Tick now() const override { return power_ ? power_->calendar().now() : off_.now; }

  bool run(const ProgressCallback& progress, RunEnd end);
  void start_workloads();
  void run_until(Tick limit);
  bool workloads_under_way() const { return workloads_started_ && has_driver() && !driver().workloads_done(); }

  // implementation_commands.cpp
  CommandHandle start_read(std::uint64_t lba, std::uint64_t bytes);
  CommandHandle start_write(std::uint64_t lba, std::vector<std::byte> data, bool force_unit_access);
  CommandHandle start_trim(std::uint64_t lba, std::uint64_t sectors);
  CommandHandle start_flush();
  Tick wait(const CommandHandle& command);
  void wait_all();
  void wait_any(Tick limit);
  Value identify();
  Value smart_log();
  void reset();

  // implementation_power.cpp
  void power_cut();
  void shut_down();
  void power_on();
  bool has_power() const { return power_.has_value(); }
  void advance(double hours, double temperature_c, bool powered);
  void checkpoint(const std::string& path);
  // Throws RequestError if there is no power.
  Drive& drive_with_power();

  Value statistics(Window window) const;
  Steadiness steadiness() const;
  Value statistics_reference() const;
  Value hierarchy() const;
  const RequestLog& requests() const { return recorder_.log(); }

  // Null without power.
  const KernelContext* context() const { return power_ ? &power_->context() : nullptr; }

  const Configuration configuration;
  Ownership ownership;

 private:
  // State of a drive without power.
  struct Shelf {
    double hours;
    double temperature_c;
  };
  struct Off {
    Tick now = 0;
    std::uint64_t events_run = 0;
    std::vector<std::byte> state;  // non-volatile state
    Moment moment;                 // when power was lost
    std::vector<Shelf> shelf;
  };

  Drive& drive() { return power_->machine().drive(); }
  // False for an external host, which generates its own commands.
  bool has_driver() const { return power_->machine().host().driver() != nullptr; }
  // Throws RequestError if the host has no driver.
  host::Driver& driver() const;

  // --- statistics (implementation_figures.cpp)
  // Statistics of drive and energy. Requires power.
  void describe_drive(StatisticsVisitor& visitor) const;
  Moment moment() const;
  Value figures(const Moment* begin, const Moment& end) const;
  // Whether a workload is open-loop, so the times of its requests, not the drive, determine the request rate.
  bool rate_is_given() const;

  // --- workloads
  void open_workloads();
  void add_workloads();
  std::unique_ptr<host::WorkloadSource> make_source(const host::WorkloadParameters& workload, const std::string& path);
  void take_supplies(host::RequestSupplies supplies);
  // Rethrows, once, an exception of user code that generates requests.
  void rethrow_raised();
  void must_be_idle(const char* before);

  // --- time
  // Runs events up to `limit`, or until none is left or `awaited` has arrived. Returns false if the callback ended the
  // run.
  bool run_events(Tick limit, const ProgressCallback& progress = {}, const void* awaited = nullptr);
  // Runs events up to `limit`, until none is left, or until the watch ends the run. Throws Interrupted when cancelled.
  // An unexpected exception of user code stops the drive in the middle of an event; all further calls throw
  // RequestError.
  void run_watched(Tick limit, CalendarModule::Watch watch);
  // Runs events until `awaited` has arrived. Throws std::logic_error with `complaint` if `done` is still false.
  void run_until_done(const std::function<bool()>& done, const void* awaited, const char* complaint);
  void arrived(const void* what);
  void bring_up();
  // SimulatedTime
  void run(Tick limit) override { run_events(limit); }
  void stop() override { power_->calendar().stop(); }

  // --- commands
  void check_range(const host::HostRequest& request) const;
  CommandHandle start(const host::HostRequest& request, std::vector<std::byte> data = {});
  void end(const CommandHandle& command, RequestStatus status, Tick now, const TimeSheet* times);
  void fail_outstanding(RequestStatus status);
  // Adds a mark to the timeline at the current time.
  void mark(const char* what);
  bool commands_open() const { return !outstanding_.empty() || workloads_under_way(); }
  std::string text_of(const HostCommand& command);
  void completed(std::size_t workload, const host::HostRequest& request, Tick start, Tick now, nvme::Status status,
                 const TimeSheet* times) override;
  void ended(std::size_t workload) override;
  BusyTimes busy_times() const;
  void begin_window();
  // Called when a request of a workload has ended: ends rounds and the warm-up when due.
  void look_at_window(Tick now);
  bool warmed_up(Tick now) const;

  // --- power and state
  void settle();
  [[noreturn]] void fail_to_settle();
  // Throws RequestError if a block cannot save its non-volatile state.
  void check_lasting();
  void switch_off();
  void stay_off();
  void persist(Archive& archive);
  void persist_lasting(Archive& archive);
  void load(std::span<const std::byte> state);

  const std::unique_ptr<Timeline> timeline_;  // null: not configured
  std::optional<PowerCycle> power_;           // none: the drive has no power
  Off off_;
  std::uint64_t capacity_bytes_ = 0;
  host::RequestSupplies supplies_;
  std::exception_ptr raised_;  // exception of user code that generates requests
  std::vector<std::unique_ptr<host::WorkloadSource>> sources_;
  bool workloads_ran_ = false;
  bool workloads_started_ = false;  // since power-on
  bool coming_up_ = false;          // the driver has begun to bring up the controller
  bool stopped_midway_ = false;     // by an exception of user code
  std::uint64_t expected_ = 0;
  const std::uint64_t identity_;
  std::vector<CommandHandle> outstanding_;  // single commands in order of start
  std::uint64_t ends_ = 0;                  // number of ended single commands, and of ends of all workloads
  const void* awaited_ = nullptr;           // by the current call; its arrival stops the calendar
  RequestRecorder recorder_;
  MeasuredWindow window_;
  Rounds rounds_;
  SteadyState steady_state_;
  bool warming_ = false;  // the workloads have started, the window has not
  bool ends_when_steady_ = false;
  Tick workloads_began_ = 0;
  double wall_s_ = 0;
};

}  // namespace nandscape

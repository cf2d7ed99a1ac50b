// SPDX-License-Identifier: Apache-2.0
#include "platform/simulation/implementation.h"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <stdexcept>
#include <utility>

#include "core/error.h"
#include "core/interruption.h"
#include "core/message_text.h"
#include "platform/config/configuration_checks.h"
#include "platform/simulation/called_back_requests.h"

namespace nandscape {

namespace {

using Clock = std::chrono::steady_clock;
constexpr auto progress_interval = std::chrono::milliseconds(100);
constexpr auto turn_interval = std::chrono::milliseconds(10);

// Half the range of Tick.
constexpr Tick longest_time = Tick{1} << 63;

std::uint64_t next_identity() {
  static std::atomic<std::uint64_t> latest = 0;
  return ++latest;
}

std::unique_ptr<Timeline> timeline_of(const PlatformParameters& parameters) {
  const TimelineParameters& timeline = parameters.simulation.timeline;
  return timeline.file.empty() ? nullptr : std::make_unique<Timeline>(timeline);
}

}  // namespace

Simulation::Implementation::Implementation(Configuration given, host::RequestSupplies supplies)
    : configuration(std::move(given)),
      timeline_(timeline_of(configuration.parameters)),
      identity_(next_identity()),
      recorder_(configuration.parameters.host.workload, configuration.parameters.simulation.request_log,
                configuration.parameters.simulation.breakdown),
      steady_state_(configuration.parameters.simulation.steady) {
  configuration.require_allowed_plugins();
  take_supplies(std::move(supplies));
  power_.emplace(configuration.parameters, PowerCycle::Begin{}, timeline_.get());
  capacity_bytes_ = drive().capacity_bytes();
  open_workloads();
}

Simulation::Implementation::Implementation(Configuration given, host::RequestSupplies supplies,
                                           std::span<const std::byte> state)
    : configuration(std::move(given)),
      timeline_(timeline_of(configuration.parameters)),
      identity_(next_identity()),
      recorder_(configuration.parameters.host.workload, configuration.parameters.simulation.request_log,
                configuration.parameters.simulation.breakdown),
      steady_state_(configuration.parameters.simulation.steady) {
  configuration.require_allowed_plugins();
  take_supplies(std::move(supplies));
  load(state);
}

// --- workloads

bool Simulation::Implementation::run(const ProgressCallback& progress, RunEnd end) {
  ends_when_steady_ = end == RunEnd::steady;
  start_workloads();
  return run_events(never, progress);
}

void Simulation::Implementation::start_workloads() {
  if (workloads_ran_)
    throw RequestError("the configured workloads were already run; create another Simulation to repeat them");
  bring_up();
  workloads_ran_ = true;
  workloads_started_ = true;
  begin_window();
  if (has_driver()) driver().start_workloads();
  rethrow_raised();
}

void Simulation::Implementation::run_until(Tick limit) {
  window_.reopen();
  if (limit > longest_time) {
    throw RequestError("simulated time ends at " + shown(s_from_ticks(longest_time)) +
                       " s (2^63 ps, 106 days), not at " + shown(s_from_ticks(limit)) +
                       " s; advance() lets years pass");
  }
  bring_up();
  run_events(std::max(limit, now()));
}

// Opens the workloads from their beginning.
void Simulation::Implementation::open_workloads() {
  const std::vector<host::WorkloadParameters>& workloads = configuration.parameters.host.workload;
  sources_.clear();
  workloads_ran_ = false;
  expected_ = recorder_.completed();
  for (std::size_t k = 0; k < workloads.size(); ++k) {
    const std::string path = workloads.size() == 1 ? "host.workload" : "host.workload." + std::to_string(k);
    sources_.push_back(make_source(workloads[k], path));
    expected_ += sources_.back()->expected_requests();
  }
  add_workloads();
}

// The driver requests a queue pair for each workload when it brings up the controller.
void Simulation::Implementation::add_workloads() {
  if (!has_driver()) return;
  const std::vector<host::WorkloadParameters>& workloads = configuration.parameters.host.workload;
  for (std::size_t k = 0; k < workloads.size(); ++k) {
    const host::IssueMode mode = is_open_loop(workloads[k]) ? host::IssueMode::open_loop : host::IssueMode::closed_loop;
    host::WorkloadSettings settings{mode, workloads[k].queue_depth, workloads[k].priority};
    if (workloads[k].duration_ms > 0) settings.duration = ticks_from_ms(workloads[k].duration_ms);
    driver().add_workload(*sources_[k], settings, *this);
  }
}

// An exception of user code that generates requests ends the run.
void Simulation::Implementation::take_supplies(host::RequestSupplies supplies) {
  const auto failed = [this](std::exception_ptr why) {
    raised_ = std::move(why);
    power_->calendar().stop();
  };
  for (auto& [name, supply] : supplies) {
    if (supply->calls_back()) supply = std::make_shared<CalledBackRequests>(std::move(supply), ownership, failed);
  }
  supplies_ = std::move(supplies);
}

void Simulation::Implementation::rethrow_raised() {
  if (raised_) std::rethrow_exception(std::exchange(raised_, nullptr));
}

std::unique_ptr<host::WorkloadSource> Simulation::Implementation::make_source(const host::WorkloadParameters& workload,
                                                                              const std::string& path) {
  try {
    return make_workload(workload, capacity_bytes_ / sector_bytes, configuration.parameters.simulation.seed, path,
                         supplies_);
  } catch (const ConfigError& error) {
    throw ConfigError(source_of(configuration.given, error.path()), error.path(), error.complaint());
  }
}

void Simulation::Implementation::must_be_idle(const char* before) {
  if (!commands_open()) return;
  throw RequestError(std::string("commands or workloads are under way; they must end before ") + before);
}

host::Driver& Simulation::Implementation::driver() const {
  if (host::Driver* const driver = power_->machine().host().driver()) return *driver;
  throw RequestError("the host is of kind " + configuration.parameters.simulation.blocks.host.kind.name +
                     " (simulation.blocks.host), which takes no commands from here: see HostBlock::driver() in "
                     "platform/blocks/host_block.h");
}

// --- time

// The driver brings up the controller before the first command after each power-up.
void Simulation::Implementation::bring_up() {
  drive_with_power();
  if (!has_driver() || driver().ready()) return;
  // An interrupted call may already have started it.
  if (!std::exchange(coming_up_, true)) driver().start([this] { arrived(&coming_up_); });
  run_until_done([this] { return driver().ready(); }, &coming_up_, "the NVMe controller did not become ready");
  coming_up_ = false;
}

void Simulation::Implementation::run_until_done(const std::function<bool()>& done, const void* awaited,
                                                const char* complaint) {
  if (!done()) run_events(never, {}, awaited);
  if (!done()) throw std::logic_error(complaint + ("\n" + drive().waiting()));
}

void Simulation::Implementation::arrived(const void* what) {
  if (awaited_ == what) power_->calendar().stop();
}

bool Simulation::Implementation::run_events(Tick limit, const ProgressCallback& progress, const void* awaited) {
  const auto report = [&] {
    const Progress now_at = {recorder_.completed(), expected_, now()};
    bool wanted = true;
    const Ownership::Callback callback(ownership);
    KernelContext::outside([&] { wanted = progress(now_at); });
    return wanted;
  };
  bool wanted = true;
  CalendarModule::Watch watch;
  if (progress) {
    watch = [&, reported = Clock::now()]() mutable {
      const Clock::time_point wall = Clock::now();
      if (wall - reported < progress_interval) return true;
      reported = wall;
      return wanted = report();
    };
  }
  awaited_ = awaited;
  run_watched(limit, std::move(watch));
  if (timeline_ != nullptr) timeline_->finish();
  if (progress && wanted) report();
  return wanted;
}

void Simulation::Implementation::mark(const char* what) {
  if (timeline_ != nullptr) timeline_->mark(now(), what);
}

void Simulation::Implementation::run_watched(Tick limit, CalendarModule::Watch watch) {
  if (stopped_midway_) {
    throw RequestError(
        "an error has stopped the drive in the middle of an event, and it cannot go on; make another "
        "Simulation");
  }
  const KernelContext::Scope scope(power_->context());
  const Clock::time_point begin = Clock::now();
  Clock::duration elsewhere{};  // time given to other simulations
  bool interrupted = false;
  CalendarModule& kernel = power_->machine().calendar();
  kernel.set_watch([&, turn_began = begin]() mutable {
    if (!still_wanted()) {
      interrupted = true;
      return false;
    }
    if (const Clock::time_point wall = Clock::now(); wall - turn_began > turn_interval) {
      KernelContext::give_way();
      turn_began = Clock::now();
      elsewhere += turn_began - wall;
    }
    return !watch || watch();
  });
  kernel.run(limit);
  // No event is left to complete the open commands.
  while (!interrupted && !kernel.failed() && commands_open() && power_->calendar().empty() &&
         drive().end_stall(now())) {
    kernel.run(limit);
  }
  kernel.set_watch({});
  awaited_ = nullptr;
  wall_s_ += std::chrono::duration<double>(Clock::now() - begin - elsewhere).count();
  try {
    kernel.rethrow();
  } catch (const Error&) {
    throw;
  } catch (const std::logic_error&) {
    throw;
  } catch (...) {
    stopped_midway_ = true;
    throw;
  }
  rethrow_raised();
  if (interrupted) throw Interrupted();
}

}  // namespace nandscape

// SPDX-License-Identifier: Apache-2.0
// Power, ageing, and checkpoints.
#include <exception>
#include <utility>

#include "core/error.h"
#include "core/interruption.h"
#include "core/message_text.h"
#include "platform/simulation/checkpoint_file.h"
#include "platform/simulation/implementation.h"

namespace nandscape {

namespace {

// Bounds of advance(). The cell models are valid far beyond them.
constexpr double hours_per_year = 365.25 * 24;
constexpr double longest_hours = 100 * hours_per_year;
constexpr double lowest_temperature_c = -40;
constexpr double highest_temperature_c = 125;
// A simulation that begins later would have no time left.
constexpr Tick latest_start = never - 24 * 3600 * second;

}  // namespace

Drive& Simulation::Implementation::drive_with_power() {
  if (!power_) throw RequestError("the drive has no power; power_on() gives it back");
  return drive();
}

// The next power cycle creates a new machine, so every block must save its non-volatile state.
void Simulation::Implementation::check_lasting() {
  drive().check_lasting();
  driver();
}

// An interruption ends the hold-up: the drive is then off, as with a smaller capacitor.
void Simulation::Implementation::power_cut() {
  Drive& cut = drive_with_power();
  check_lasting();
  window_.reopen();
  mark("power cut");
  driver().power_lost();
  fail_outstanding(RequestStatus::power_lost);
  power_->machine().host().front_end().host_lost();
  std::exception_ptr interrupted;
  try {
    cut.power_cut(*this);
  } catch (const Interrupted&) {
    interrupted = std::current_exception();
  }
  switch_off();
  if (interrupted) std::rethrow_exception(interrupted);
}

// An interruption turns it into a power cut.
void Simulation::Implementation::shut_down() {
  drive_with_power();
  check_lasting();
  must_be_idle("the drive is shut down");
  window_.reopen();
  bool at_rest = false;
  try {
    if (driver().ready()) {
      driver().shut_down();
      run_events(never);
    }
    at_rest = drive().shut_down(*this);
  } catch (const Interrupted&) {
    power_cut();
    throw;
  }
  if (!at_rest) fail_to_settle();
  switch_off();
}

void Simulation::Implementation::settle() {
  if (!drive().settle(*this)) fail_to_settle();
}

void Simulation::Implementation::fail_to_settle() {
  const std::string waiting = drive().waiting();
  power_cut();
  throw Error("the flash has no room for the remaining work of the drive, which is now off, as after a power cut; " +
              waiting);
}

// If it fails or is interrupted, the drive stays off with its state unchanged.
void Simulation::Implementation::power_on() {
  if (power_) throw RequestError("the drive has power already");
  window_.reopen();
  power_.emplace(configuration.parameters,
                 PowerCycle::Begin{off_.now, off_.events_run, controller::StartUp::from_flash}, timeline_.get());
  try {
    const KernelContext::Scope scope(power_->context());
    add_workloads();
    Archive archive(off_.state);
    persist_lasting(archive);
    archive.finish();
    for (const Shelf& shelf : off_.shelf) drive().age(shelf.hours, shelf.temperature_c);
    drive().recover(*this);
    bring_up();
  } catch (const ArchiveError& error) {
    stay_off();
    throw InputError({"checkpoint of the mapping", 0}, error.what());
  } catch (...) {
    stay_off();
    throw;
  }
  off_ = {};
  mark("power on");
}

void Simulation::Implementation::stay_off() {
  power_.reset();
  coming_up_ = false;
  stopped_midway_ = false;
}

void Simulation::Implementation::switch_off() {
  Archive archive;
  persist_lasting(archive);
  off_ = {now(), power_->calendar().events_run(), archive.take(), moment(), {}};
  power_.reset();
  workloads_started_ = false;
  coming_up_ = false;
  stopped_midway_ = false;
}

void Simulation::Implementation::advance(double hours, double temperature_c, bool powered) {
  if (!(hours >= 0)) throw RequestError("time does not pass backwards");
  if (!(hours <= longest_hours)) {
    throw RequestError("at most 100 years pass at a time, not " + shown(hours / hours_per_year));
  }
  if (!(temperature_c >= lowest_temperature_c && temperature_c <= highest_temperature_c)) {
    throw RequestError("flash ages at " + shown(lowest_temperature_c) + " to " + shown(highest_temperature_c) +
                       " degrees Celsius, not at " + shown(temperature_c));
  }
  if (!power_) {
    if (powered) drive_with_power();
    off_.shelf.push_back({hours, temperature_c});
    return;
  }
  must_be_idle("time passes");
  window_.reopen();
  run_events(never);
  if (hours == 0) return;
  if (powered) {
    drive().age_in_use(hours, temperature_c, *this);
  } else {
    drive().age(hours, temperature_c);
  }
}

void Simulation::Implementation::checkpoint(const std::string& path) {
  drive_with_power().check_persistent();
  power_->machine().host().check_persistent();
  if (!supplies_.empty()) {
    throw ConfigError({}, "host.workload",
                      "a checkpoint cannot hold requests that the program gives to a workload; make the checkpoint "
                      "without them, and give them to the restored simulation");
  }
  must_be_idle("a checkpoint is made");
  for (const auto& [key, object] : configuration.objects) {
    throw RequestError(key + " is " + object->name() +
                       ", an object that no file can keep; a checkpoint needs policies with registered names");
  }
  settle();
  Archive archive;
  persist(archive);
  const std::vector<std::byte> state = archive.take();
  save_checkpoint_file(path, configuration.to_yaml(), state);
  const Interruptible to_the_end([] { return true; });  // load() first destroys the old drive, so it must not be
                                                        // interrupted
  load(state);
}

// Saves or restores the non-volatile state of the drive, and the counters of its parts.
void Simulation::Implementation::persist_lasting(Archive& archive) {
  drive().persist_lasting(archive, now());
  power_->machine().host().persist(archive, now());
}

// Saves or restores everything. Restoring creates a machine that continues at the time of the state.
void Simulation::Implementation::persist(Archive& archive) {
  archive.section("simulation");
  PowerCycle::Begin begin;
  if (!archive.loading()) begin = {now(), power_->calendar().events_run(), power_->start_up()};
  archive.number(begin.now, latest_start, "the simulated time");
  archive(begin.events_run);
  archive.enumeration(begin.start_up, controller::StartUp::from_flash, "the start of the drive");
  recorder_.persist(archive);
  if (archive.loading()) {
    power_.reset();
    power_.emplace(configuration.parameters, begin, timeline_.get());
    workloads_started_ = false;
    coming_up_ = false;
  }
  persist_lasting(archive);
  drive().persist_settled(archive);
}

void Simulation::Implementation::load(std::span<const std::byte> state) {
  Archive archive(state);
  persist(archive);
  archive.finish();
  capacity_bytes_ = drive().capacity_bytes();
  window_ = {};
  open_workloads();
}

}  // namespace nandscape

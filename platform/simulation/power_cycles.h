// SPDX-License-Identifier: Apache-2.0
// The power cycles of a simulation, one after the other. While the drive has power, this is the current cycle with its
// machine. Without power, it is the state that the last cycle has left.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "controller/mapping/power_state.h"
#include "core/archive.h"
#include "core/calendar.h"
#include "host/driver/driver.h"
#include "platform/config/parameters.h"
#include "platform/simulation/kernel_context.h"
#include "platform/timeline/timeline.h"
#include "platform/wiring/machine.h"

namespace nandscape {

// All objects that exist from power-on to power-off: a kernel context, a calendar and a machine. When a cycle is
// destroyed, all volatile state is lost. Non-volatile state must be saved to an Archive before.
class PowerCycle {
 public:
  // The state in which a cycle begins. Simulated time continues from the end of the previous cycle.
  struct Begin {
    Tick now = 0;
    std::uint64_t events_run = 0;
    controller::StartUp start_up = controller::StartUp::as_preconditioned;
  };

  PowerCycle(const PlatformParameters& parameters, const Begin& begin, Timeline* timeline);
  ~PowerCycle();
  PowerCycle(const PowerCycle&) = delete;
  PowerCycle& operator=(const PowerCycle&) = delete;

  const KernelContext& context() const { return context_; }
  Calendar& calendar() { return calendar_; }
  const Calendar& calendar() const { return calendar_; }
  Machine& machine() { return *machine_; }
  const Machine& machine() const { return *machine_; }
  controller::StartUp start_up() const { return start_up_; }

 private:
  const controller::StartUp start_up_;
  KernelContext context_;
  Calendar calendar_;
  std::optional<Machine> machine_;
};

class PowerCycles {
 public:
  // Creates an object without a current cycle. `parameters` must outlive this object. Throws InputError if
  // simulation.timeline.file cannot be written.
  explicit PowerCycles(const PlatformParameters& parameters);

  bool on() const { return cycle_.has_value(); }
  // Throws RequestError if the drive has no power.
  void require_power() const;
  Tick now() const { return cycle_ ? cycle_->calendar().now() : off_.now; }
  std::uint64_t events_run() const { return cycle_ ? cycle_->calendar().events_run() : off_.events_run; }
  // Returns the exported capacity, which does not change after the first cycle has begun.
  std::uint64_t capacity_bytes() const { return capacity_bytes_; }

  // --- the current cycle; the drive must have power

  const KernelContext& context() const { return cycle_->context(); }
  Calendar& calendar() { return cycle_->calendar(); }
  Machine& machine() { return cycle_->machine(); }
  const Machine& machine() const { return cycle_->machine(); }
  Drive& drive() { return machine().drive(); }
  // Returns whether the host has a driver. An external host has none and generates its own commands.
  bool has_driver() const { return machine().host().driver() != nullptr; }
  // Returns the driver. Throws RequestError if the host has none.
  host::Driver& driver() const;

  // --- power

  // Begins a cycle, and ends the current cycle if there is one. The drive is in its preconditioned state; persist() can
  // then restore another state.
  void begin(const PowerCycle::Begin& begin);
  // Begins a cycle with the non-volatile state of the last cycle, aged by the time without power. Call came_up() when
  // the drive has been brought up. Until then, each call begins again with the same state. Throws ArchiveError if the
  // state cannot be restored.
  void begin_from_flash();
  void came_up() { off_ = {}; }
  // Ends the current cycle and stores its non-volatile state.
  void switch_off();
  // Ends a cycle in which the drive could not be brought up.
  void drop() { cycle_.reset(); }
  // Records a time without power, by which stored data age.
  void rest(double hours, double temperature_c) { off_.shelf.push_back({hours, temperature_c}); }

  // --- the state of a settled drive, for a checkpoint

  // Saves or restores the time and the number of events with which a restored cycle begins.
  PowerCycle::Begin persist_begin(Archive& archive) const;
  // Saves or restores the state of the current cycle.
  void persist(Archive& archive);

  // --- the timeline; these functions have no effect if none is configured

  // Adds a mark at the current simulated time.
  void mark(const char* what);
  void finish_timeline();

 private:
  // A time without power, and its temperature. `Off` is the state in which the last cycle has left the drive.
  struct Shelf {
    double hours;
    double temperature_c;
  };
  struct Off {
    Tick now = 0;
    std::uint64_t events_run = 0;
    std::vector<std::byte> state;  // non-volatile state of the drive
    std::vector<Shelf> shelf;
  };

  // Saves or restores the non-volatile state of the drive, and the counters of its parts.
  void persist_lasting(Archive& archive);

  const PlatformParameters& parameters_;
  const std::unique_ptr<Timeline> timeline_;  // null if no timeline is configured
  std::optional<PowerCycle> cycle_;           // none: the drive has no power
  Off off_;
  std::uint64_t capacity_bytes_ = 0;
};

}  // namespace nandscape

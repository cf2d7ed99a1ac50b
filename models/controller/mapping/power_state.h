// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <utility>

#include "controller/mapping/running_hours.h"
#include "core/archive.h"
#include "core/ticks.h"

namespace nandscape::controller {

// The fate of unanswered writes when a drive is about to lose its power.
enum class Unanswered : std::uint8_t { given_up, written };

// The record from which the next drive learns which units are trimmed: the journal on flash, or a checkpoint of the
// mapping or of the simulation.
enum class TrimRecords : std::uint8_t { journal, checkpoint };

struct PowerState {
  bool has_capacitor = false;                    // feeds the drive long enough for the longest save
  bool saving = false;                           // the supply has failed, and the capacitor still feeds the drive
  Unanswered unanswered = Unanswered::given_up;  // while it saves

  // With a capacitor, data in the dies' latches and in buffers are durable.
  bool programmed_is_durable() const { return has_capacitor && !saving; }
  bool gives_up_writes() const { return saving && unanswered == Unanswered::given_up; }
};

// The controller's knowledge at its start.
enum class StartUp : std::uint8_t {
  as_preconditioned,  // the flash holds what the configuration says
  from_flash,         // nothing: the mapping has to be read from the flash or restored
};

// The drive's clock, which gives the age of its data in equivalent hours at 30 C. It also counts time without power, as
// reported at power-on by the host (NVMe's Timestamp) or by a clock with a battery.
class DriveClock {
 public:
  explicit DriveClock(RunningHours running) : running_(std::move(running)) {}

  double hours(Tick now) const { return shelf_hours_ + running_.until(now); }
  // Adds unsimulated time, in equivalent hours at 30 C.
  void pass(double hours) { shelf_hours_ += hours; }
  // The tick at which `hours` more equivalent hours will have been simulated; `never` if simulated time ends before.
  Tick after(double hours, Tick now) const { return running_.after(hours, now); }

  // Saves or restores only the unsimulated time, since simulated time continues over power cycles.
  void persist(Archive& archive) {
    constexpr double most_hours = 1e12;  // longer than any drive is in use
    archive.real(shelf_hours_, 0, most_hours, "the drive's clock, in hours,");
  }

 private:
  const RunningHours running_;
  double shelf_hours_ = 0;  // not simulated
};

}  // namespace nandscape::controller

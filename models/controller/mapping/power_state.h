// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <utility>

#include "controller/mapping/running_hours.h"
#include "core/archive.h"
#include "core/ticks.h"

namespace nandscape::controller {

// The treatment of writes that have not been answered when the drive is about to lose its power.
enum class Unanswered : std::uint8_t { given_up, written };

// Where the drive finds the trimmed units at its next start: in the journal on flash, or in a checkpoint of the mapping
// or of the simulation.
enum class TrimRecords : std::uint8_t { journal, checkpoint };

struct PowerState {
  bool has_capacitor = false;                    // the capacitor can power the drive for the longest save
  bool saving = false;                           // the power has failed, and the capacitor powers the drive
  Unanswered unanswered = Unanswered::given_up;  // applies while the drive saves

  // Whether data in the dies' latches and in buffers count as durable. With a capacitor they do.
  bool programmed_is_durable() const { return has_capacitor && !saving; }
  bool gives_up_writes() const { return saving && unanswered == Unanswered::given_up; }
};

// The information that the controller has at its start.
enum class StartUp : std::uint8_t {
  as_preconditioned,  // the flash has the content described by the configuration
  from_flash,         // none: the mapping must be read from the flash or restored
};

// The clock of the drive, which gives the age of the data in equivalent hours at 30 C. It also counts the time without
// power. In a real drive, the host reports this time at power-on (with the NVMe feature Timestamp), or a clock with a
// battery does.
class DriveClock {
 public:
  explicit DriveClock(RunningHours running) : running_(std::move(running)) {}

  double hours(Tick now) const { return shelf_hours_ + running_.until(now); }
  // Adds unsimulated time, in equivalent hours at 30 C.
  void pass(double hours) { shelf_hours_ += hours; }
  // Returns the tick at which `hours` more equivalent hours will have been simulated, or `never` if this is beyond the
  // range of simulated time.
  Tick after(double hours, Tick now) const { return running_.after(hours, now); }

  // Saves or restores only the unsimulated time, since simulated time continues over power cycles.
  void persist(Archive& archive) {
    constexpr double most_hours = 1e12;  // longer than the life of any drive
    archive.real(shelf_hours_, 0, most_hours, "the drive's clock, in hours,");
  }

 private:
  const RunningHours running_;
  double shelf_hours_ = 0;  // hours that were not simulated
};

}  // namespace nandscape::controller

// SPDX-License-Identifier: Apache-2.0
// Records the host's violations of the ONFI protocol at the pins of a target: times that are too short, and cycles that
// are out of sequence.
#pragma once

#include <array>
#include <cstddef>
#include <string>
#include <vector>

#include "core/ticks.h"
#include "rtl/onfi/timing_modes.h"

namespace nandscape::rtl::onfi {

struct Violation {
  Tick at;
  std::string parameter;  // for example "tADL", or "sequence" for a cycle that is out of sequence
  Tick required;          // the limit that was violated; 0 if the cycle is out of sequence
  Tick measured;
  std::string text;  // the full message
};

enum class OnViolation { record, fail };

class Violations {
 public:
  // `name` is the name of the target in messages. If `reaction` is OnViolation::fail, each violation also throws a
  // ProtocolError.
  Violations(std::string name, OnViolation reaction) : name_(std::move(name)), reaction_(reaction) {}

  void too_short(Tick at, const Constraint& constraint, TimingMode mode, Tick measured);
  // Records a violation if `measured` is not in the range from `least` to `most`.
  void check_window(Tick at, const char* parameter, TimingMode mode, Tick least, Tick most, Tick measured);
  void sequence(Tick at, const std::string& what);

  const std::vector<Violation>& list() const { return list_; }
  void clear() { list_.clear(); }

 private:
  void add(Violation violation);

  std::string name_;
  OnViolation reaction_;
  std::vector<Violation> list_;
};

// Checks the time between events against the constraints of the timing mode in use.
class TimingChecks {
 public:
  explicit TimingChecks(Violations& violations) : violations_(violations) { last_.fill(never); }

  // Changes the timing mode. All earlier events are forgotten, except for the one from which the time of the change
  // itself (tITC) is measured.
  void use(TimingMode mode);
  TimingMode mode() const { return mode_; }

  // Records a violation for each constraint that is not met by the time of this event. If two events occur at the same
  // time, call this function first for the event that ends a constraint.
  void happened(BusEvent event, Tick now);

 private:
  Violations& violations_;
  TimingMode mode_;
  std::array<Tick, bus_events> last_;  // never: no such event yet
};

}  // namespace nandscape::rtl::onfi

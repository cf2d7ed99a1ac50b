// SPDX-License-Identifier: Apache-2.0
// Records a host's violations of ONFI at the pins of a target: times that are too short, and cycles at the wrong place
// in a sequence.
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
  std::string parameter;  // "tADL", or "sequence" for a cycle at the wrong place
  Tick required;          // the bound that was broken; 0 for a sequence
  Tick measured;
  std::string text;  // the full message
};

enum class OnViolation { record, fail };

class Violations {
 public:
  // `name` is the target's name in messages. With `fail` each violation also throws a ProtocolError.
  Violations(std::string name, OnViolation reaction) : name_(std::move(name)), reaction_(reaction) {}

  void too_short(Tick at, const Constraint& constraint, TimingMode mode, Tick measured);
  // Records a violation if `measured` is outside the range from `least` to `most`.
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

// Compares the time between events with the constraints of the timing mode in use.
class TimingChecks {
 public:
  explicit TimingChecks(Violations& violations) : violations_(violations) { last_.fill(never); }

  // Changes the timing mode and forgets all earlier events, except the one from which the change itself is timed.
  void use(TimingMode mode);
  TimingMode mode() const { return mode_; }

  // Records a violation for each constraint that the event breaks. For events at the same time, call it first for the
  // event that ends a constraint.
  void happened(BusEvent event, Tick now);

 private:
  Violations& violations_;
  TimingMode mode_;
  std::array<Tick, bus_events> last_;  // never: no such event yet
};

}  // namespace nandscape::rtl::onfi

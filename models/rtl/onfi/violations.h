// SPDX-License-Identifier: Apache-2.0
// What a host has done at the pins of a target that ONFI forbids: a time that was too short, or a cycle that has no
// place.
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
  std::string parameter;  // "tADL", or "sequence" for a cycle that has no place
  Tick required;          // at least that much; 0 for a sequence
  Tick measured;
  std::string text;  // the whole of it, for a reader
};

enum class OnViolation { record, fail };

class Violations {
 public:
  // `name` is the target's, for messages. With `fail` each violation is a ProtocolError, too.
  Violations(std::string name, OnViolation reaction) : name_(std::move(name)), reaction_(reaction) {}

  void too_short(Tick at, const Constraint& constraint, TimingMode mode, Tick measured);
  // Records a time that lies outside of these bounds.
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

  // Of events before, none counts from now on but those that the change of interface itself is timed by.
  void use(TimingMode mode);
  TimingMode mode() const { return mode_; }

  // What the event comes too early for is recorded. Of events at the same time, check those that end a time first.
  void happened(BusEvent event, Tick now);

 private:
  Violations& violations_;
  TimingMode mode_;
  std::array<Tick, bus_events> last_;  // never: it has not happened
};

}  // namespace nandscape::rtl::onfi

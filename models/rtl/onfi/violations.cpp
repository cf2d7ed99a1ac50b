// SPDX-License-Identifier: Apache-2.0
#include "rtl/onfi/violations.h"

#include <sstream>
#include <utility>

#include "core/error.h"

namespace nandscape::rtl::onfi {

namespace {

double ns_from_ticks(Tick ticks) { return static_cast<double>(ticks) * 1e-3; }

const char* name_of(Interface interface) { return interface == Interface::sdr ? "SDR" : "NV-DDR"; }

}  // namespace

void Violations::too_short(Tick at, const Constraint& constraint, TimingMode mode, Tick measured) {
  const Tick required = constraint.minimum[mode.mode];
  std::ostringstream text;
  text << name_ << ": " << constraint.parameter << " is " << ns_from_ticks(measured) << " ns at " << us_from_ticks(at)
       << " us; " << name_of(mode.interface) << " mode " << int{mode.mode} << " requires at least "
       << ns_from_ticks(required) << " ns";
  add({at, constraint.parameter, required, measured, text.str()});
}

void Violations::check_window(Tick at, const char* parameter, TimingMode mode, Tick least, Tick most, Tick measured) {
  if (measured >= least && measured <= most) return;
  std::ostringstream text;
  text << name_ << ": " << parameter << " is " << ns_from_ticks(measured) << " ns at " << us_from_ticks(at) << " us; "
       << name_of(mode.interface) << " mode " << int{mode.mode} << " requires " << ns_from_ticks(least) << " to "
       << ns_from_ticks(most) << " ns";
  add({at, parameter, measured < least ? least : most, measured, text.str()});
}

void Violations::sequence(Tick at, const std::string& what) {
  std::ostringstream text;
  text << name_ << ": " << what << " at " << us_from_ticks(at) << " us";
  add({at, "sequence", 0, 0, text.str()});
}

void Violations::add(Violation violation) {
  list_.push_back(std::move(violation));
  if (reaction_ == OnViolation::fail) throw ProtocolError(list_.back().text);
}

void TimingChecks::use(TimingMode mode) {
  mode_ = mode;
  const Tick set = last_[static_cast<std::size_t>(BusEvent::interface_set)];
  last_.fill(never);
  last_[static_cast<std::size_t>(BusEvent::interface_set)] = set;
}

void TimingChecks::happened(BusEvent event, Tick now) {
  for (const Constraint& constraint : constraints(mode_.interface)) {
    if (constraint.to != event) continue;
    const Tick from = last_[static_cast<std::size_t>(constraint.from)];
    if (from == never || now - from >= constraint.minimum[mode_.mode]) continue;
    violations_.too_short(now, constraint, mode_, now - from);
  }
  last_[static_cast<std::size_t>(event)] = now;
}

}  // namespace nandscape::rtl::onfi

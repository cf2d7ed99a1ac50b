// SPDX-License-Identifier: Apache-2.0
#include "platform/wiring/power_monitor.h"

#include <algorithm>

#include "platform/timeline/timeline.h"
#include "platform/wiring/drive_energy.h"
#include "platform/wiring/machine.h"

namespace nandscape {

namespace {

bool needs_windows(const controller::PowerParameters& p, const Drive& drive) {
  const bool heats = drive.temperature() != nullptr && drive.temperature()->follows_power();
  return p.sampled || p.limits() || heats;
}

}  // namespace

PowerMonitor::PowerMonitor(const PlatformParameters& p, Drive& drive, const HostModule& host, Calendar& calendar,
                           Timeline* timeline)
    : parameters_(p),
      drive_(drive),
      host_(host),
      calendar_(calendar),
      timeline_(timeline),
      used_(needs_windows(p.controller.power, drive)),
      window_(ticks_from_ms(p.controller.power.window_ms)),
      highest_(now_c()) {}

void PowerMonitor::resume() {
  if (!used_ || scheduled_ || !others_pend()) return;
  scheduled_ = true;
  calendar_.schedule<&PowerMonitor::window_ended>(std::max(calendar_.now(), last_.at + window_), *this);
}

// The account contains the whole array time of the operations that have begun.
PowerMonitor::Drawn PowerMonitor::drawn() const {
  const EnergyAccount energy = energy_of(drive_, host_, parameters_, calendar_.now());
  const double ahead = drive_.array_joules_ahead();
  return {calendar_.now(), energy.total() - ahead * 100 / parameters_.controller.power.regulator_percent,
          energy.joules("array_j") + energy.joules("standby_j") - ahead};
}

void PowerMonitor::window_ended() {
  scheduled_ = false;
  const Drawn now = drawn();
  const double supply_j = now.supply_j - last_.supply_j;
  const double packages_j = now.packages_j - last_.packages_j;
  const double watts = supply_j / s_from_ticks(now.at - last_.at);
  peak_w_ = std::max(peak_w_, watts);
  drive_.take_heat({packages_j, supply_j - packages_j}, now.at);
  highest_ = highest_c();
  if (timeline_ != nullptr) record(last_.at, watts);
  last_ = now;
  resume();
}

void PowerMonitor::record(Tick begin, double watts) {
  const Temperatures now = now_c();
  timeline_->set(begin, "power", "W", watts);
  timeline_->set(calendar_.now(), "flash temperature", "°C", now.flash);
  timeline_->set(calendar_.now(), "case temperature", "°C", now.housing);
}

PowerMonitor::Temperatures PowerMonitor::now_c() const {
  const TemperatureSource* const source = drive_.temperature();
  if (source == nullptr) return {};
  return {source->celsius(calendar_.now()), source->case_celsius(calendar_.now())};
}

PowerMonitor::Temperatures PowerMonitor::highest_c() const {
  const Temperatures now = now_c();
  return {std::max(highest_.flash, now.flash), std::max(highest_.housing, now.housing)};
}

void PowerMonitor::persist(Archive& archive) {
  archive.section("power monitor");
  archive(last_.at, last_.supply_j, last_.packages_j, peak_w_, highest_.flash, highest_.housing);
}

}  // namespace nandscape

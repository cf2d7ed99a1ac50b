// SPDX-License-Identifier: Apache-2.0
#include "controller/power/power_control.h"

#include <algorithm>
#include <cmath>

namespace nandscape::controller {

namespace {

Microwatts from_mw(double mw) { return std::llround(1e3 * mw); }

double cap_mw(const PowerParameters& p) { return p.capped() ? 1e3 * p.cap_w : std::numeric_limits<double>::infinity(); }

// Returns the power, in mW, of an energy in nJ over a time.
double mw_of(double nj, Tick time) { return 1e-6 * nj / s_from_ticks(time); }

}  // namespace

void describe(ThrottleParameters& p, ParameterVisitor& v) {
  v.real("light_c", p.light_c, {0, 200}, "c", "temperature of the flash at which light throttling begins; 0: never");
  v.real("heavy_c", p.heavy_c, {0, 200}, "c", "temperature at which heavy throttling begins; 0: never");
  v.real("light_percent", p.light_percent, {0.1, 100}, "percent",
         "power of the flash in light throttling, as a share of that of all dies at work");
  v.real("heavy_percent", p.heavy_percent, {0.1, 100}, "percent", "the same in heavy throttling");
  v.real("hysteresis_c", p.hysteresis_c, {0, 100}, "c",
         "how far the temperature falls below that of a level before the level ends");
}

void describe(PowerParameters& p, ParameterVisitor& v) {
  v.real("static_mw", p.static_mw, {0, 100000}, "mw",
         "power of the controller at all times: leakage, clocks, memories");
  v.real("core_mw", p.core_mw, {0, 100000}, "mw", "power of a processor core while it works, in addition");
  v.real("regulator_percent", p.regulator_percent, {1, 100}, "percent",
         "share of the energy from the supply that reaches the parts of the drive");
  v.real("cap_w", p.cap_w, {0, 1000}, "w",
         "most power from the supply; operations of the flash wait for what the rest of the drive leaves; 0: no limit");
  v.real("window_ms", p.window_ms, {0.001, 1e6}, "ms",
         "time over which power is averaged and after which temperatures are updated");
  v.boolean("sampled", p.sampled,
            "measure the power of each window even if nothing depends on it: no cap, no self-heating, no throttling");
  v.unread_if(!p.throttle.used(), {"throttle.light_percent", "throttle.heavy_percent", "throttle.hysteresis_c"},
              "no temperature throttles the drive");
  v.group("throttle", p.throttle, "less work at high temperatures");
}

void describe(const PowerCounters& c, StatisticsVisitor& v) {
  v.count("waits", c.waits, "times that a die had to wait for power before it could begin an operation");
  v.amount("waited_s", s_from_ticks(c.waited), "s", "time for which dies waited for power, summed over the dies");
  v.amount("light_throttling_s", s_from_ticks(c.light.time), "s", "time in light throttling");
  v.amount("heavy_throttling_s", s_from_ticks(c.heavy.time), "s", "time in heavy throttling");
  v.count("light_throttling_begins", c.light.transitions,
          "times that light throttling began because the flash got hot");
  v.count("heavy_throttling_begins", c.heavy.transitions, "the same for heavy throttling");
}

PowerControl::PowerControl(const PowerParameters& p, const FlashPower& flash)
    : parameters_(p),
      flash_(flash),
      program_(from_mw(flash.program_mw + mw_of(flash.write_nj_per_page, flash.t_prog))),
      erase_(from_mw(flash.erase_mw)),
      most_of_write_(std::max(program_, from_mw(flash.read_mw))),
      supply_mw_(cap_mw(p)) {
  update_limit();
}

Microwatts PowerControl::draw(const NandCommand& c) const {
  switch (c.operation) {
    case NandOperation::read:
      return from_mw(flash_.read_mw +
                     mw_of(flash_.read_nj_per_byte * c.bytes, flash_.t_read[c.page % flash_.t_read.size()]));
    case NandOperation::copyback_read: return from_mw(flash_.read_mw);
    case NandOperation::program:
    case NandOperation::copyback_program:
    case NandOperation::adjust_voltage: return program_;
    case NandOperation::erase: return erase_;
    default: return 0;
  }
}

ThrottleLevel PowerControl::level_at(double celsius) const {
  const ThrottleParameters& p = parameters_.throttle;
  const auto holds = [&](double threshold, ThrottleLevel level) {
    if (threshold == 0) return false;
    return celsius >= (level_ >= level ? threshold - p.hysteresis_c : threshold);
  };
  if (holds(p.heavy_c, ThrottleLevel::heavy)) return ThrottleLevel::heavy;
  return holds(p.light_c, ThrottleLevel::light) ? ThrottleLevel::light : ThrottleLevel::none;
}

void PowerControl::set_level(ThrottleLevel level) {
  level_ = level;
  update_limit();
}

void PowerControl::update_limit() {
  const ThrottleParameters& p = parameters_.throttle;
  limit_ = unlimited;
  if (std::isfinite(supply_mw_)) limit_ = from_mw(flash_.efficiency * supply_mw_ - flash_.others_mw);
  if (level_ == ThrottleLevel::none) return;
  const double share = 1e-2 * (level_ == ThrottleLevel::light ? p.light_percent : p.heavy_percent);
  limit_ = std::min(limit_, from_mw(share * flash_.all_dies_mw));
}

bool PowerControl::set_supply_limit(double milliwatts) {
  const Microwatts before = limit_;
  supply_mw_ = std::min(milliwatts, cap_mw(parameters_));
  update_limit();
  return limit_ != before;
}

ThrottlingRecord& PowerControl::record_of_level(PowerCounters& counters) const {
  return level_ == ThrottleLevel::light ? counters.light : counters.heavy;
}

bool PowerControl::set_temperature(double celsius, Tick now) {
  if (level_ != ThrottleLevel::none) record_of_level(counters_).time += now - level_since_;
  level_since_ = now;
  const Microwatts limit_before = limit_;
  const ThrottleLevel level_before = level_;
  set_level(level_at(celsius));
  if (level_ > level_before) ++record_of_level(counters_).transitions;
  return limit_ != limit_before;
}

PowerCounters PowerControl::counters(Tick now) const {
  PowerCounters counters = counters_;
  if (level_ != ThrottleLevel::none) record_of_level(counters).time += now - level_since_;
  return counters;
}

void PowerControl::persist_counters(Archive& archive) {
  archive.section("power control");
  archive(counters_, level_since_);
  archive.enumeration(level_, ThrottleLevel::heavy, "the level of throttling");
  if (archive.loading()) set_level(level_);
}

}  // namespace nandscape::controller

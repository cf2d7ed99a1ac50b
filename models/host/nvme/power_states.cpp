// SPDX-License-Identifier: Apache-2.0
#include "host/nvme/power_states.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <string>
#include <utility>

#include "core/error.h"

namespace nandscape::host {

namespace {

// An entry of the table [NVM Express 1.4, 5.21.1.12]: ITPT 31:8 and ITPS 7:3.
constexpr std::uint64_t transition(std::uint32_t state, std::uint32_t idle_ms) {
  return std::uint64_t{idle_ms} << 8 | std::uint64_t{state} << 3;
}
constexpr std::uint32_t next_state(std::uint64_t entry) { return static_cast<std::uint32_t>(entry >> 3 & 0x1f); }
constexpr Tick idle_time(std::uint64_t entry) { return (entry >> 8 & 0xff'ffff) * millisecond; }

void check(const std::vector<PowerStateParameters>& states) {
  const auto refuse = [](std::size_t k, const char* key, const std::string& why) {
    throw ConfigError({}, "host.nvme.power_states." + std::to_string(k) + "." + key, why);
  };
  if (states.size() > nvme::most_power_states) {
    throw ConfigError({}, "host.nvme.power_states",
                      std::to_string(states.size()) + " states are more than the 32 that NVMe allows");
  }
  for (std::size_t k = 0; k < states.size(); ++k) {
    const PowerStateParameters& state = states[k];
    if (k == 0 && !state.operational) refuse(0, "operational", "the first state must be operational");
    if (k != 0 && state.max_mw > states[k - 1].max_mw) {
      refuse(k, "max_mw", "is more than that of the state before; order the states by falling power");
    }
    if (!state.operational && state.idle_mw > state.max_mw) refuse(k, "idle_mw", "is more than max_mw of the state");
  }
}

// Returns the table in which every state leads to the next higher state that is entered after idle time.
TransitionTable table_of(const std::vector<PowerStateParameters>& states) {
  TransitionTable table{};
  std::uint64_t entry = 0;
  for (std::size_t k = states.size(); k-- > 0;) {
    table[k] = entry;
    if (!states[k].operational && states[k].idle_before_ms != 0) {
      entry = transition(static_cast<std::uint32_t>(k), states[k].idle_before_ms);
    }
  }
  return table;
}

// Returns a power as the field of a descriptor: in units of 0.1 mW if it fits, and of 10 mW otherwise.
struct ScaledPower {
  std::uint16_t value;
  bool fine;
};
ScaledPower scaled(double milliwatts) {
  const bool fine = milliwatts * 10 <= 0xffff;
  return {static_cast<std::uint16_t>(std::min(std::ceil(fine ? milliwatts * 10 : milliwatts / 10), 65535.0)), fine};
}

nvme::PowerStateDescriptor descriptor_of(const PowerStateParameters& p) {
  nvme::PowerStateDescriptor d;
  const ScaledPower most = scaled(p.max_mw);
  d.mp = most.value;
  d.flags = static_cast<std::uint8_t>((most.fine ? 1 : 0) | (p.operational ? 0 : 2));
  d.enlat = static_cast<std::uint32_t>(std::ceil(p.entry_us));
  d.exlat = static_cast<std::uint32_t>(std::ceil(p.exit_us));
  if (!p.operational) {
    const ScaledPower idle = scaled(p.idle_mw);
    d.idlp = idle.value;
    d.ips = static_cast<std::uint8_t>((idle.fine ? 1 : 2) << 6);
  }
  return d;
}

}  // namespace

void describe(const PowerStateCounters& c, StatisticsVisitor& v) {
  v.amount("time_s", s_from_ticks(c.time), "s", "time in the power state");
  v.amount("rest_s", s_from_ticks(c.at_rest), "s",
           "time in the power state at the power of a non-operational state, without work in the background");
  v.count("entries", c.entries, "changes to the power state");
  v.count("exits", c.exits, "exits from the power state because an I/O command arrived");
}

PowerStates::PowerStates(const std::vector<PowerStateParameters>& states, const BusyTime& io, Tick now)
    : states_(states),
      io_(io),
      default_table_(table_of(states)),
      table_(default_table_),
      autonomous_(default_table_ != TransitionTable{}),
      settled_since_(now),
      counted_until_(now),
      counters_(states.size()) {
  check(states);
  look_ahead();
}

void PowerStates::add_to(nvme::IdentifyController& id) const {
  if (!configured()) return;
  id.npss = static_cast<std::uint8_t>(states_.size() - 1);
  id.apsta = 1;
  for (std::size_t k = 0; k < states_.size(); ++k) id.power_states[k] = descriptor_of(states_[k]);
}

// ---- The state

Tick PowerStates::change_time(std::uint32_t from, std::uint32_t to) const {
  return ticks_from_us(states_[from].exit_us) + ticks_from_us(states_[to].entry_us);
}

Tick PowerStates::idle_since() const {
  const Tick io = io_.idle_since();
  return io == never ? never : std::max(io, settled_since_);
}

void PowerStates::count_time(Tick until) {
  const Tick time = until - std::exchange(counted_until_, until);
  if (phase_ != Phase::settled) {
    changing_ += time;
    return;
  }
  counters_[state_].time += time;
  if (!operational(state_) && !works_) counters_[state_].at_rest += time;
}

void PowerStates::advance(Tick now) {
  if (!configured()) return;
  while (true) {
    if (phase_ != Phase::settled) {
      if (change_ends_ > now) break;
      settle();
      continue;
    }
    const Tick idle = idle_since();
    if (idle > now) break;
    if (chosen_) {
      enter(*std::exchange(chosen_, std::nullopt), std::max(idle, counted_until_));
      continue;
    }
    const std::uint64_t next = autonomous_ && enabled_ ? table_[state_] : 0;
    if (next == 0 || idle + idle_time(next) > now) break;
    enter(next_state(next), std::max(idle + idle_time(next), counted_until_));  // the host may have changed the table
  }
  count_time(now);
}

void PowerStates::enter(std::uint32_t state, Tick at) {
  if (state == state_) return;
  count_time(at);
  change_ends_ = at + change_time(state_, state);
  phase_ = Phase::entering;
  state_ = state;
  ++counters_[state].entries;
  look_ahead();
}

void PowerStates::leave(Tick at) {
  count_time(at);
  phase_ = Phase::leaving;
  change_ends_ = at + change_time(state_, operational_);
}

void PowerStates::settle() {
  count_time(change_ends_);
  const Phase ended = std::exchange(phase_, Phase::settled);
  settled_since_ = change_ends_;
  if (ended == Phase::changing) {
    state_ = changes_to_;
    ++counters_[state_].entries;
    set_limit(state_, change_ends_);
    if (state_ != operational_) change_operational(change_ends_);
    return look_ahead();
  }
  if (ended == Phase::leaving) return settle_in_operational();
  if (std::exchange(leaves_then_, false)) leave(change_ends_);
}

void PowerStates::settle_in_operational() {
  state_ = operational_;
  ++counters_[state_].entries;
  look_ahead();
}

Tick PowerStates::wake(Tick now) {
  advance(now);
  if (!configured()) return now;
  chosen_.reset();
  look_ahead();
  if (phase_ == Phase::settled) {
    settled_since_ = now;
    if (operational(state_)) return now;
    ++counters_[state_].exits;
    leave(now);
  } else if (phase_ == Phase::changing) {
    return now;
  } else if (phase_ == Phase::entering) {
    if (!std::exchange(leaves_then_, true)) ++counters_[state_].exits;
    return change_ends_ + change_time(state_, operational_);
  }
  return change_ends_;
}

std::uint32_t PowerStates::state(Tick now) {
  advance(now);
  return state_;
}

Tick PowerStates::choose(std::uint32_t state, Tick now) {
  advance(now);
  if (!configured()) return now;
  if (!operational(state)) {
    chosen_ = state;
    look_ahead();
    advance(now);
    return now;
  }
  chosen_.reset();
  const bool other = std::exchange(operational_, state) != state;
  Tick complete = now;
  if (phase_ == Phase::changing) {
    // The change under way ends first.
    complete = change_ends_ + (state == changes_to_ ? 0 : change_time(changes_to_, state));
  } else if (phase_ == Phase::settled && operational(state_)) {
    if (other) complete = change_operational(now);
  } else {
    if (other) set_limit(operational_, now);
    return_to_operational(now);
  }
  look_ahead();
  return complete;
}

Tick PowerStates::change_operational(Tick at) {
  count_time(at);
  changes_to_ = operational_;
  change_ends_ = at + change_time(state_, changes_to_);
  phase_ = Phase::changing;
  if (change_ends_ == at) settle();
  return change_ends_;
}

void PowerStates::return_to_operational(Tick at) {
  if (phase_ == Phase::entering) {
    leaves_then_ = true;
  } else if (phase_ == Phase::settled) {
    leave(at);
  }
}

void PowerStates::set_limit(std::uint32_t state, Tick now) {
  if (limit_ != nullptr) limit_->set_limit(states_[state].max_mw, now);
}

bool PowerStates::valid(const TransitionTable& table) const {
  for (std::uint32_t k = 0; k < table.size(); ++k) {
    if (idle_time(table[k]) == 0) continue;
    const std::uint32_t next = next_state(table[k]);
    if (next <= k || next >= count() || operational(next)) return false;
  }
  return true;
}

bool PowerStates::set_transitions(bool enabled, const TransitionTable& table, Tick now) {
  advance(now);
  if (!valid(table)) return false;
  autonomous_ = enabled;
  for (std::uint32_t k = 0; k < table.size(); ++k) table_[k] = idle_time(table[k]) == 0 ? 0 : table[k];
  look_ahead();
  return true;
}

void PowerStates::background_work(bool under_way, Tick now) {
  advance(now);
  works_ = under_way;
}

void PowerStates::enable(Tick now) {
  advance(now);
  if (!std::exchange(enabled_, true)) settled_since_ = std::max(settled_since_, now);
}

void PowerStates::reset(Tick now) {
  if (!configured()) return;
  enabled_ = false;
  table_ = default_table_;
  autonomous_ = default_table_ != TransitionTable{};
  advance(now);
  chosen_.reset();
  const bool other = std::exchange(operational_, 0) != 0;
  if (other || phase_ == Phase::changing) set_limit(0, now);
  if (!operational(state_)) {
    return_to_operational(now);
  } else {
    if (phase_ == Phase::changing) settled_since_ = now;
    phase_ = Phase::settled;
    if (state_ != 0) {
      settle_in_operational();
      settled_since_ = now;
    }
  }
  look_ahead();
}

void PowerStates::stop(Tick now) {
  advance(now);
  if (!configured()) return;
  enabled_ = false;
  chosen_.reset();
  leaves_then_ = false;
  operational_ = 0;
  if (phase_ != Phase::settled || state_ != 0) settle_in_operational();
  phase_ = Phase::settled;
  settled_since_ = now;
  look_ahead();
}

// ---- Statistics and saved state

// Returns a copy that has reached `now` and limits nothing.
PowerStates PowerStates::state_at(Tick now) const {
  PowerStates then = *this;
  then.limit_ = nullptr;
  then.advance(now);
  return then;
}

PowerStates::Rest PowerStates::rest(Tick now) const {
  const PowerStates then = state_at(now);
  Rest rest;
  for (std::size_t k = 0; k < states_.size(); ++k) {
    rest.time += then.counters_[k].at_rest;
    rest.joules += 1e-3 * states_[k].idle_mw * s_from_ticks(then.counters_[k].at_rest);
  }
  return rest;
}

void PowerStates::describe_states(StatisticsVisitor& v, Tick now) const {
  if (!configured()) return;
  const PowerStates then = state_at(now);
  for (std::size_t k = 0; k < states_.size(); ++k) {
    v.group("ps" + std::to_string(k), then.counters_[k], "power state " + std::to_string(k));
  }
  v.amount("change_s", s_from_ticks(then.changing_), "s", "time of changes between power states");
}

void PowerStates::persist_counters(Archive& archive, Tick now) {
  advance(now);
  archive.variant(configured() ? "power states " + std::to_string(count()) : "", [&](Archive& state) {
    state.counter(changing_, "the time of changes between power states");
    state.table(counters_, counters_.size(), "the counters of power states", [&](PowerStateCounters& c) {
      state.counter(c.time, "the time in a power state");
      state.number(c.at_rest, c.time, "the time at rest in a power state");
      state.counter(c.entries, "the entries to a power state");
      state.counter(c.exits, "the exits from a power state");
    });
  });
}

void PowerStates::persist(Archive& archive, Tick now) {
  advance(now);
  archive.variant(configured() ? "power state of " + std::to_string(count()) : "", [&](Archive& state) {
    state.index(state_, count(), "the power state");
    state.index(operational_, count(), "the operational power state");
    state.require(operational(operational_), "a power state is not operational");
    state.enumeration(phase_, Phase::leaving, "the change of the power state");
    state.require(phase_ == Phase::settled || !operational(state_), "the change of an operational power state");
    state.counter(change_ends_, "the end of a change of the power state");
    state.require(phase_ == Phase::settled || change_ends_ >= now, "a change of the power state has ended before");
    state.number(settled_since_, now, "the begin of the power state");
    std::uint32_t chosen = chosen_.value_or(count());
    state.number(chosen, count(), "the power state that the host has chosen");
    if (chosen != count()) chosen_ = chosen;
    state(leaves_then_, enabled_, autonomous_, table_);
    state.require(valid(table_), "a transition does not lead to a higher non-operational power state");
    state.require(phase_ == Phase::entering || !leaves_then_, "a power state is left that is not entered");
    look_ahead();
    if (state.loading() && operational_ != 0) set_limit(operational_, now);
  });
}

}  // namespace nandscape::host

// SPDX-License-Identifier: Apache-2.0
// The power states of the controller [NVM Express 1.4, 8.4]. In an operational state, the controller executes I/O
// commands. In a non-operational state, parts of the drive are off: the drive draws `idle_mw`, and the first I/O
// command waits until the controller has returned to the operational state from which it came. A change of state takes
// the exit latency of the old state and the entry latency of the new one. Between operational states, the controller
// executes commands meanwhile, and the maximum power of the old state holds until the change has ended.
//
// The host chooses a state by the feature Power Management. By the feature Autonomous Power State Transition, it tells
// the controller to move to a non-operational state when no I/O command has been outstanding for some time. Admin
// commands do not leave a state. The controller may work in the background in a non-operational state; it then draws
// the power of the operational state, and stays in its state.
//
// No event of the calendar changes a state. Every state follows from the times of the commands, so it is computed when
// a command arrives or the state is read. Thus a drive without commands has no pending events. Only a change between
// operational states has an event, since it changes the maximum power: the end of the command that asks for it.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <vector>

#include "core/archive.h"
#include "core/statistics.h"
#include "core/ticks.h"
#include "host/nvme/health.h"
#include "host/nvme/nvme_parameters.h"
#include "protocol/nvme.h"
#include "protocol/power_limit.h"

namespace nandscape::host {

// The data of the feature Autonomous Power State Transition: an entry for each state, which gives the state that
// follows when the controller has been idle in the state for some time. An entry of 0 means that no state follows.
using TransitionTable = std::array<std::uint64_t, nvme::most_power_states>;

struct PowerStateCounters {
  Tick time = 0;     // time in the state
  Tick at_rest = 0;  // part of this time in which the drive drew the power of a non-operational state
  std::uint64_t entries = 0;
  std::uint64_t exits = 0;  // exits because an I/O command arrived
};
void describe(const PowerStateCounters& c, StatisticsVisitor& v);

class PowerStates {
 public:
  // `io` tells since when no I/O command is outstanding. It must outlive this object. Throws ConfigError if the states
  // do not form a valid list.
  PowerStates(const std::vector<PowerStateParameters>& states, const BusyTime& io, Tick now);

  // Sets the part of the drive that enforces the maximum power of operational states.
  void set_limit(PowerLimit& limit) { limit_ = &limit; }

  // Without a configured list, the controller has one state, which never changes.
  bool configured() const { return !states_.empty(); }
  std::uint32_t count() const { return configured() ? static_cast<std::uint32_t>(states_.size()) : 1; }
  // Fills the power state descriptors of Identify Controller.
  void add_to(nvme::IdentifyController& id) const;

  // Returns whether the controller is operational until the host changes a power feature. Then I/O commands need no
  // call of wake().
  bool stays_operational() const { return stays_operational_; }
  // While commands wait for the return of wake(), all later ones must wait behind them.
  void set_waiting(bool commands_wait) {
    commands_wait_ = commands_wait;
    look_ahead();
  }
  // An I/O command arrives. Returns the time at which the controller is operational and can fetch it.
  Tick wake(Tick now);
  // Returns the number of the present state. While the state changes, it is the new state if that is non-operational,
  // and the old state otherwise.
  std::uint32_t state(Tick now);
  // Set Features: the controller moves to the state `state` as soon as no I/O command is outstanding, or at once if the
  // state is operational. Returns the time at which the command is complete. If that is later than `now`, the
  // controller then changes from one operational state to another, and state() must be called at that time.
  Tick choose(std::uint32_t state, Tick now);
  // Set Features: enables or disables autonomous transitions. Returns false, and changes nothing, if the table is not
  // valid: transitions must lead to a non-operational state with a higher number.
  bool set_transitions(bool enabled, const TransitionTable& table, Tick now);
  bool transitions_enabled() const { return autonomous_; }
  const TransitionTable& transitions() const { return table_; }
  const TransitionTable& default_transitions() const { return default_table_; }
  // The drive begins or ends work in the background.
  void background_work(bool under_way, Tick now);

  // The host enables the controller. Until then, there are no autonomous transitions.
  void enable(Tick now);
  // A controller reset disables the controller, restores the default table and leads to state 0.
  void reset(Tick now);
  // The drive is about to lose its supply. It is in state 0 and stays there.
  void stop(Tick now);

  // Returns the time until now in which the drive was at rest in non-operational states, and the energy that it took.
  struct Rest {
    Tick time = 0;
    double joules = 0;
  };
  Rest rest(Tick now) const;
  void describe_states(StatisticsVisitor& v, Tick now) const;

  void persist_counters(Archive& archive, Tick now);
  // Saves or restores the present state and the table, which the controller loses with its supply.
  void persist(Archive& archive, Tick now);

 private:
  enum class Phase : std::uint8_t {
    settled,
    entering,
    leaving,
    changing,  // from one operational state to another
  };

  bool operational(std::uint32_t state) const { return states_.empty() || states_[state].operational; }
  bool valid(const TransitionTable& table) const;
  Tick change_time(std::uint32_t from, std::uint32_t to) const;
  // Computes the state at `now`, which must not be earlier than in the previous call.
  void advance(Tick now);
  // Counts the time up to `until`, in which the state did not change.
  void count_time(Tick until);
  // Returns the time from which the controller is idle in its state, or `never` if an I/O command is outstanding.
  Tick idle_since() const;
  // Ends the change of state that is under way.
  void settle();
  void set_limit(std::uint32_t state, Tick now);
  void enter(std::uint32_t state, Tick at);
  void leave(Tick at);
  void settle_in_operational();
  // Begins the change from the present operational state to the one that the host has chosen. Returns its end.
  Tick change_operational(Tick at);
  void return_to_operational(Tick at);
  PowerStates state_at(Tick now) const;
  // Call when a member has changed on which stays_operational() depends.
  void look_ahead() {
    stays_operational_ = !commands_wait_ && !autonomous_ && !chosen_ && phase_ == Phase::settled && operational(state_);
  }

  std::vector<PowerStateParameters> states_;
  const BusyTime& io_;
  PowerLimit* limit_ = nullptr;
  TransitionTable default_table_{};
  TransitionTable table_{};
  bool autonomous_ = false;
  bool enabled_ = false;
  bool commands_wait_ = false;
  bool stays_operational_ = true;
  std::uint32_t state_ = 0;        // the new state while entering, otherwise the old one
  std::uint32_t operational_ = 0;  // the operational state that the host chose last
  Phase phase_ = Phase::settled;
  std::uint32_t changes_to_ = 0;         // the new state while changing
  Tick change_ends_ = 0;                 // end of the change of state
  bool leaves_then_ = false;             // after entering, the state is left at once
  std::optional<std::uint32_t> chosen_;  // a non-operational state that waits until no I/O command is outstanding
  Tick settled_since_ = 0;               // when the state was reached, or a command arrived in it
  bool works_ = false;                   // work in the background is under way
  Tick counted_until_;
  Tick changing_ = 0;  // total time of changes of state
  std::vector<PowerStateCounters> counters_;
};

}  // namespace nandscape::host

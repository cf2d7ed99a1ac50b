// SPDX-License-Identifier: Apache-2.0
// Lets dies begin operations only while all operations together draw no more than the limit of PowerControl.
//
// An operation draws power from the first cycle of its command until the array has ended; a suspended operation draws
// none. A die that finds too little power waits. Dies get power in the order in which they began to wait, so that
// operations that need little do not delay one that needs much forever. If nothing draws power, the first die that
// waits may begin in any case, so that a low limit delays the drive but never stops it.
//
// What an operation will draw is known only after the policy has chosen it, and then it cannot be undone. Before that,
// the gate asks for the most that the next operation of the die could draw.
#pragma once

#include <vector>

#include "controller/flash_ops/scheduler/channel_state.h"
#include "controller/flash_ops/scheduler/die_scheduler.h"
#include "controller/power/power_control.h"
#include "core/ids.h"
#include "protocol/geometry.h"

namespace nandscape::controller {

class PowerGate {
 public:
  PowerGate(PowerControl& control, const Geometry& geometry);

  // Removes the dies for which there is too little power from `channel.ready`, until the die that would be served next
  // may begin its operation. The caller must then let this die choose its command. Returns whether could_begin() may
  // return dies now, so that the caller must call it soon.
  [[nodiscard]] bool pass(ChannelState& channel, Tick now);
  // Returns whether a cache read of the die may be sent. If not, the die does not wait for power: it sends the read as
  // an ordinary read later.
  [[nodiscard]] bool passes_cache_read(const DieScheduler& die);

  // Called when the state of the die has changed. Returns the same as pass().
  [[nodiscard]] bool changed(DieScheduler& die, Tick now);
  bool limits() const { return control_.limits(); }
  bool any_waits() const { return !waiting_.empty(); }
  // Brings the accounts of all dies up to date. No die may wait for power.
  void count_again(const IdVector<DieId, DieScheduler>& dies);
  // Ends all limits: the drive saves its data on capacitor power.
  void lift() { lifted_ = true; }
  // Returns the dies that wait and could begin now, in their order.
  std::vector<DieScheduler*> could_begin(Tick now);

 private:
  struct DieAccount {
    Microwatts drawn = 0;
    bool waits = false;
    Tick since = 0;  // when the die began to wait
  };

  // Returns what the operations of the die draw.
  Microwatts draw_of(const DieMachine& machine) const;
  Microwatts draw_of(const OpQueue& operation) const;
  // Returns the most that the next command of the die could let it draw in addition.
  Microwatts need_of(const DieScheduler& die, Tick now) const;
  Microwatts need_of_kind(const DieScheduler& die, QueueKind kind, const FlashOp* first) const;
  Microwatts need_of_locked(const DieScheduler& die) const;
  Microwatts need_of_plane_read(const DieScheduler& die) const;
  // Brings the account of the die that passed last up to date. Its operation was not known when it passed.
  void settle() {
    if (passed_ != nullptr) update(*passed_);
  }
  bool fits(Microwatts need) const { return drawn_ + need <= control_.limit(); }
  bool admits(DieScheduler& die, Tick now);
  void update(const DieScheduler& die);
  void begin_wait(DieScheduler& die, Tick now);
  // Returns whether the die has waited.
  bool end_wait(DieScheduler& die, Tick now);
  DieAccount& account(const DieScheduler& die) { return accounts_[geometry_.die(die.channel, die.index)]; }
  const DieAccount& account(const DieScheduler& die) const { return accounts_[geometry_.die(die.channel, die.index)]; }

  PowerControl& control_;
  const Geometry geometry_;
  IdVector<DieId, DieAccount> accounts_;
  std::vector<DieScheduler*> waiting_;
  const DieScheduler* passed_ = nullptr;
  Microwatts drawn_ = 0;
  bool freed_ = false;  // a die draws less than at the last call of changed()
  bool lifted_ = false;
};

}  // namespace nandscape::controller

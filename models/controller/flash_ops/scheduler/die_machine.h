// SPDX-License-Identifier: Apache-2.0
// A die as its controller knows it: a state, and the operations that the die holds. Between the first cycle of an
// operation and its last response, the operation is in one of four places:
//
//   sending --> array --> (over)      sending    its commands go over the bus, plane by plane
//      |         ^  ^                 array      in the cells, and then until its last status or data have left the die
//      v         |  |                 cached     behind the operation in the array: a program in the cache register, or
//   cached ------+  +--> suspended               a cache read
//                                     suspended  a program or an erase
//
// The state tells which events are possible:
//
//   state        the die                                          event              next state
//   idle         takes a command                                  operation_begins   sending
//                                                                 control_begins     resuming, configuring
//   ended        idle, but the op that ended is yet to be told    end_told           idle
//   copied       idle, with a page for a copyback program         copy_leaves        idle
//   sending      gets command, address and data cycles            operation_sent     busy
//   busy         works in its array                               response_begins    responding
//                                                                 control_begins     halting, resetting
//   responding   puts out status or data, plane by plane          command_ends       ended, or sending (see there)
//                                                                 cached_begins      busy
//                                                                 page_copied        copied
//   halting      gets a suspend                                   suspend_passed     suspending
//                                                                 suspend_failed     responding: the array was faster
//                                                                 response_begins    responding: the suspend will fail
//   suspending   brings its array to a halt                       array_halted       idle
//   resuming     gets a resume                                    resumed            busy
//   configuring  gets a feature and sets it                       control_ends       idle
//   resetting    gets a reset and drops its work                  control_ends       idle
#pragma once

#include <cstdint>
#include <vector>

#include "controller/flash_ops/flash_op.h"
#include "core/ids.h"

namespace nandscape::controller {

class DieMachine {
 public:
  enum class State : std::uint8_t {
    idle,
    ended,
    copied,
    sending,
    busy,
    responding,
    halting,
    suspending,
    resuming,
    configuring,
    resetting,
  };
  enum class Work : std::uint8_t { none, reading, copying, programming, erasing };

  // An operation on one plane or several.
  struct Operation {
    Work work = Work::none;     // none: the place is free
    std::vector<FlashOp*> ops;  // ops that have not ended, in the order in which they were sent
    // Programs and erases:
    std::uint32_t suspends = 0;
    Tick running_since = 0;  // the last start or resume
    bool cacheable = false;  // the cache register takes the next program from `cache_free` onward
    Tick cache_free = 0;

    bool empty() const { return work == Work::none; }
    bool programs_or_erases() const { return work == Work::programming || work == Work::erasing; }
  };

  State state() const { return state_; }
  // Whether the die takes a command that starts its array.
  bool free() const { return state_ == State::idle || state_ == State::ended || state_ == State::copied; }
  bool busy(Work work) const { return state_ == State::busy && array_.work == work; }
  // Whether a command is on its way to the die, its array works, or its page registers hold data.
  bool occupied() const {
    const bool unused = state_ == State::idle || state_ == State::ended || state_ == State::configuring;
    return !unused || !suspended_.empty();
  }
  // Whether a program could go to the cache register now.
  [[nodiscard]] bool takes_program(Tick now) const {
    return busy(Work::programming) && array_.cacheable && cached_.empty() && sending_.empty() &&
           now >= array_.cache_free;
  }
  // Whether the operation in the array can be suspended. It cannot while a page is in the cache register or on its way
  // there: the reads would overwrite that page.
  [[nodiscard]] bool takes_suspend() const {
    return state_ == State::busy && array_.programs_or_erases() && suspended_.empty() && cached_.empty() &&
           sending_.empty();
  }
  [[nodiscard]] bool takes_cache_read() const { return busy(Work::reading) && cached_.empty(); }
  // Whether the die can get a reset: each earlier command must be in the array, or have ended and its op been notified.
  [[nodiscard]] bool takes_reset() const { return state_ == State::idle || busy(Work::reading); }

  const Operation& array() const { return array_; }
  const Operation& cached() const { return cached_; }
  const Operation& suspended() const { return suspended_; }
  // The ops of the next operation. The caller puts them here before operation_begins().
  std::vector<FlashOp*>& sending() { return sending_; }
  const std::vector<FlashOp*>& sending() const { return sending_; }
  FlashOp& copied() const { return *copied_; }

  // --- events

  void operation_begins() {
    if (free()) state_ = State::sending;
  }
  // Called when the last plane's cycles have ended. Returns whether the array starts; if not, the operation is cached.
  [[nodiscard]] bool operation_sent(Tick now) {
    Operation& place = array_.empty() ? array_ : cached_;
    place.work = work_of(sending_.back()->command.operation);
    place.ops.swap(sending_);
    if (&place == &cached_) return false;
    array_starts(now);
    return true;
  }
  void cache_read_sent(FlashOp& read) {
    cached_.work = Work::reading;
    cached_.ops.push_back(&read);
  }
  void response_begins() { state_ = State::responding; }
  // Called when the op's response has ended. Returns whether the array is free. The next program may already be on its
  // way to the cache register; if the array is free, it goes to the array.
  [[nodiscard]] bool command_ends(FlashOp& op) {
    if (array_.ops.size() > 1) {
      std::erase(array_.ops, &op);
      return false;
    }
    array_.ops.clear();
    if (!cached_.empty() || array_.work == Work::copying) return false;
    array_.work = Work::none;
    state_ = sending_.empty() ? State::ended : State::sending;
    return true;
  }
  // Whether all responses of the operation in the array have ended, and page_copied() or cached_begins() must follow.
  bool array_over() const { return state_ == State::responding && array_.ops.empty(); }
  void page_copied(FlashOp& copyback);
  void cached_begins(Tick now);
  void end_told() {
    if (state_ == State::ended) state_ = State::idle;
  }
  void copy_leaves() { state_ = State::idle; }

  // Called when a suspend, resume, set_feature or reset goes to the die.
  void control_begins(NandOperation operation);
  void suspend_passed();
  // Called when the array was faster than the suspend. The response may have begun, and even ended, while the suspend
  // was on the bus.
  void suspend_failed() {
    if (state_ == State::halting) state_ = State::responding;
  }
  void array_halted() { state_ = State::idle; }
  void resumed(Tick now);
  // Called when the die has accepted a reset, which drops the operations in the array and behind it.
  void work_dropped();
  // Called when the feature is set or the reset has ended.
  void control_ends() { state_ = State::idle; }

 private:
  static void clear(Operation& operation) {
    operation.work = Work::none;
    operation.ops.clear();
  }
  static Work work_of(NandOperation operation) {
    if (operation == NandOperation::read) return Work::reading;
    if (operation == NandOperation::copyback_read) return Work::copying;
    return programs(operation) || operation == NandOperation::adjust_voltage ? Work::programming : Work::erasing;
  }
  void array_starts(Tick now) {
    state_ = State::busy;
    if (array_.programs_or_erases()) start_clocks(now);
  }
  void start_clocks(Tick now);

  State state_ = State::idle;
  std::vector<FlashOp*> sending_;
  Operation array_;
  Operation cached_;
  Operation suspended_;
  FlashOp* copied_ = nullptr;  // in state `copied`
};

// "programming", for messages.
const char* name_of(DieMachine::State state, DieMachine::Work work);

// Watches the commands between the scheduler and the dies. Each function is called at its phase, after the DieMachine
// has changed and before the scheduler sends another command in response. Commands that a reset aborts have no
// response.
class DieProbe {
 public:
  virtual void request_begins(ChannelId channel, const DieMachine& die, const NandCommand& command, Tick now) = 0;
  // Not called for cache reads, nor for commands that are answered at once.
  virtual void request_ended(ChannelId channel, const DieMachine& die, const NandCommand& command, Tick now) = 0;
  virtual void response_begins(ChannelId channel, const DieMachine& die, const NandCommand& command, Tick now) = 0;
  virtual void response_ended(ChannelId channel, const DieMachine& die, const NandCommand& command, Tick now) = 0;

 protected:
  ~DieProbe() = default;
};

}  // namespace nandscape::controller

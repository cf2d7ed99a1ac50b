// SPDX-License-Identifier: Apache-2.0
// The controller's view of a die: the state of the die and the operations that it is executing. Between the first cycle
// of an operation and its last response, the operation is in one of four places:
//
//   sending --> array --> (ended)     sending    its commands are being sent over the bus, plane by plane
//      |         ^  ^                 array      the array executes it, or its status or data are not yet transferred
//      v         |  |                 cached     it waits until the operation in the array has ended: a program in the
//   cached ------+  +--> suspended               cache register, or a cache read
//                                     suspended  a program or an erase that has been suspended
//
// Dies whose planes read on their own (Geometry::independent_plane_reads) take reads one by one. The reads in `array`
// then start and end each at its own time, and another read may be sent while planes are free. As long as one of them
// has not ended, the die is busy or responding.
//
// The state determines which events are possible:
//
//   state        the die                                          event              next state
//   idle         takes a command                                  operation_begins   sending
//                                                                 control_begins     resuming, configuring
//   ended        idle, but the op has not been notified yet       end_told           idle
//   copied       idle, holds the pages for copyback programs      copies_leave       idle
//   sending      receives command, address and data cycles        operation_sent     busy
//   busy         works in its array                               response_begins    responding
//                                                                 control_begins     halting, resetting
//   responding   outputs status or data, plane by plane           command_ends       ended, or sending (see below)
//                                                                 cached_begins      busy
//                                                                 pages_copied       copied
//   halting      receives a suspend command                       suspend_passed     suspending
//                                                                 suspend_failed     responding: the array was faster
//                                                                 response_begins    responding: the suspend will fail
//   suspending   interrupts the operation in its array            array_halted       idle
//   resuming     receives a resume command                        resumed            busy
//   configuring  receives a feature and sets it                   control_ends       idle
//   resetting    receives a reset and aborts its work             control_ends       idle
#pragma once

#include <algorithm>
#include <cstdint>

#include "controller/flash_ops/flash_op.h"
#include "core/ids.h"

namespace nandscape::controller {

// The members that each read uses are in the first cache line.
class alignas(64) DieMachine {
 public:
  // The order makes free() and occupied() single comparisons.
  enum class State : std::uint8_t {
    configuring,
    idle,
    ended,
    copied,
    sending,
    busy,
    responding,
    halting,
    suspending,
    resuming,
    resetting,
  };
  enum class Work : std::uint8_t { none, reading, copying, programming, erasing };

  State state() const { return state_; }
  // Returns whether the die accepts a command that starts an array operation.
  bool free() const { return state_ == State::idle || state_ == State::ended || state_ == State::copied; }
  // Returns whether the die is free and holds no pages for copyback programs.
  bool rests() const { return state_ == State::idle || state_ == State::ended; }
  bool busy(Work work) const { return state_ == State::busy && work_ == work; }
  // Returns whether a command is being sent to the die, its array is busy or suspended, or its page registers hold
  // data.
  bool occupied() const { return state_ > State::ended || !suspended_.empty(); }
  // Returns whether the die executes something else than a program or an erase. It then accepts no command before the
  // end of this work, except for a cache read, or for a reset if it is locked.
  bool only_reads() const { return state_ > State::copied && !programs_or_erases(); }
  // Returns whether the cache register could accept a program now, while another program is in the array.
  [[nodiscard]] bool takes_program(Tick now) const {
    return busy(Work::programming) && cacheable_ && cached_.empty() && sending_.empty() && now >= cache_free_;
  }
  // Returns whether the operation in the array can be suspended. This is impossible while a page is in the cache
  // register or is being sent to it, because the reads during the suspension would overwrite this page.
  [[nodiscard]] bool takes_suspend() const {
    return state_ == State::busy && programs_or_erases() && suspended_.empty() && cached_.empty() && sending_.empty();
  }
  // Returns whether a read of a free plane may be sent while the other planes read on their own.
  [[nodiscard]] bool takes_plane_read() const {
    return work_ == Work::reading && sending_.empty() && !array_.empty() && array_.front()->command.independent;
  }
  // Returns whether the plane executes none of the independent reads, or their data have been transferred.
  [[nodiscard]] bool plane_free(PlaneInDie plane) const {
    return std::ranges::none_of(array_, [&](const FlashOp& read) { return read.command.plane == plane; });
  }
  [[nodiscard]] bool takes_cache_read() const { return busy(Work::reading) && cached_.empty(); }
  // Returns whether a reset may be sent to the die. Each earlier command must either be in the array, or have ended and
  // have notified its op.
  [[nodiscard]] bool takes_reset() const { return state_ == State::idle || busy(Work::reading); }

  // The ops of the operation in each place that have not ended, in the order in which they were sent. `cached` and
  // `suspended` are empty if there is no operation in this place.
  const OpQueue& array() const { return array_; }
  const OpQueue& cached() const { return cached_; }
  const OpQueue& suspended() const { return suspended_; }
  // Returns the kind of the operation that consists of these ops.
  static Work work_of(const OpQueue& ops) {
    const NandOperation operation = ops.front()->command.operation;
    if (operation == NandOperation::read) return Work::reading;
    if (operation == NandOperation::copyback_read) return Work::copying;
    return programs(operation) || operation == NandOperation::adjust_voltage ? Work::programming : Work::erasing;
  }
  // Returns the kind of the operation in the array.
  Work work() const { return work_; }
  bool programs_or_erases() const { return work_ == Work::programming || work_ == Work::erasing; }
  // The ops of the operation that is sent next. The caller inserts them here before it calls operation_begins().
  OpQueue& sending() { return sending_; }
  const OpQueue& sending() const { return sending_; }
  // The copybacks whose pages have been read, one for each plane. There are none unless the state is `copied`.
  const OpQueue& copied() const { return copied_; }
  // The following functions report on the program or erase that is in the array or suspended. Returns how often it has
  // been suspended.
  std::uint32_t suspends() const { return suspends_; }
  // Returns the time of its start or of its last resume.
  Tick running_since() const { return running_since_; }
  // Returns whether the cache register accepts the next program, and from which time on.
  bool cacheable() const { return cacheable_; }
  Tick cache_free() const { return cache_free_; }

  // --- events

  void operation_begins() {
    if (free()) state_ = State::sending;
  }
  // Called when the cycles of the last plane have ended. Returns true if the array starts the operation, and false if
  // the operation waits in the cache register.
  [[nodiscard]] bool operation_sent(Tick now) {
    if (work_ != Work::none) {
      joins_operation();
      return false;
    }
    array_starts(sending_.take(), now);
    return true;
  }
  // The same for a read, which starts in an idle array.
  void read_sent() {
    work_ = Work::reading;
    array_ = sending_.take();
    state_ = State::busy;
  }
  void cache_read_sent(FlashOp& read) { cached_.push(read); }
  void response_begins() { state_ = State::responding; }
  // Called when the response of the op has ended. Returns whether the array, or the plane of an independent read, is
  // free now. If the array is free while the next program is being sent to the cache register, this program will go to
  // the array instead.
  [[nodiscard]] bool command_ends(const FlashOp& op) {
    if (array_.front() == &op) {
      array_.pop();
    } else {
      array_.remove(op);
    }
    if (!array_.empty() || !cached_.empty() || work_ == Work::copying) return op.command.independent;
    work_ = Work::none;
    state_ = sending_.empty() ? State::ended : State::sending;
    return true;
  }
  // Returns whether all responses of the operation in the array have ended, so that the caller must call pages_copied()
  // or cached_begins().
  bool array_over() const { return state_ == State::responding && array_.empty(); }
  void pages_copied();
  void cached_begins(Tick now);
  void end_told() { state_ = state_ == State::ended ? State::idle : state_; }
  // Called when the response of a copyback read has ended: its page is in the page register.
  void page_copied(FlashOp& copyback) { copied_.push(copyback); }
  OpQueue copies_leave() {
    state_ = State::idle;
    return copied_.take();
  }

  // Called when the controller starts to send a suspend, resume, set_feature or reset command to the die.
  void control_begins(NandOperation operation);
  void suspend_passed();
  // Called when the suspend has failed because the array operation ended first. The response of this operation may have
  // begun, or even ended, while the suspend was on the bus.
  void suspend_failed() {
    if (state_ == State::halting) state_ = State::responding;
  }
  void array_halted() { state_ = State::idle; }
  void resumed(Tick now);
  // Called when the die has accepted a reset. Removes the operation in the array and the cached operation, which the
  // reset aborts.
  void work_dropped();
  // Called when the die has set the feature or completed the reset.
  void control_ends() { state_ = State::idle; }

 private:
  void array_starts(OpQueue ops, Tick now) {
    work_ = work_of(ops);
    array_ = ops;
    state_ = State::busy;
    if (programs_or_erases()) start_clocks(now);
  }
  void start_clocks(Tick now);
  // Continues operation_sent() while the array works: an independent read starts beside the others, and a program waits
  // in the cache register.
  void joins_operation();

  State state_ = State::idle;
  Work work_ = Work::none;  // none: there is no operation in the array
  bool cacheable_ = false;
  std::uint32_t suspends_ = 0;
  OpQueue array_;
  OpQueue sending_;
  OpQueue cached_;
  OpQueue suspended_;
  Tick running_since_ = 0;
  Tick cache_free_ = 0;
  OpQueue copied_;
};

// Returns the name of the state for messages, for example "suspending". In state `busy` this is the kind of work, for
// example "programming".
const char* name_of(DieMachine::State state, DieMachine::Work work);

// Observes the commands between the scheduler and the dies. Each function is called at the phase after which it is
// named. At this time the DieMachine has been updated, but the scheduler has not yet sent another command in reaction.
// For commands that a reset aborts, no response is reported.
class DieProbe {
 public:
  virtual void request_begins(ChannelId channel, const DieMachine& die, const NandCommand& command, Tick now) = 0;
  // Not called for cache reads, and not for commands without a response on the bus (suspend, resume, set_feature,
  // reset).
  virtual void request_ended(ChannelId channel, const DieMachine& die, const NandCommand& command, Tick now) = 0;
  virtual void response_begins(ChannelId channel, const DieMachine& die, const NandCommand& command, Tick now) = 0;
  virtual void response_ended(ChannelId channel, const DieMachine& die, const NandCommand& command, Tick now) = 0;

 protected:
  ~DieProbe() = default;
};

}  // namespace nandscape::controller

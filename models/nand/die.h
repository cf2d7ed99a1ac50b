// SPDX-License-Identifier: Apache-2.0
// The command machine of one die. Time is an argument: the die owns no clock and schedules nothing.
//
// issue() takes a command whose command, address and data-in cycles have ended. If it starts an array operation, the
// caller calls finish() at the time that issue() returned. Then the caller fetches the responses of the pages, ending
// each with release(). A command that the state forbids throws ProtocolError, whose message lists the die's recent
// commands.
//
// The die tracks which commands are loaded, running, suspended or waiting to be fetched, and for how long. CommandRules
// decides which commands are refused; NandArray holds the state of blocks and registers.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/archive.h"
#include "core/statistics.h"
#include "core/ticks.h"
#include "nand/cell_array.h"
#include "nand/command_rules.h"
#include "nand/die_faults.h"
#include "nand/energy.h"
#include "nand/features.h"
#include "nand/nand_array.h"
#include "nand/page_store.h"
#include "nand/page_tags.h"
#include "nand/timing.h"
#include "protocol/geometry.h"
#include "protocol/nand_command.h"

namespace nandscape::nand {

struct DieCounters : NandArrayCounters {
  std::uint64_t suspends = 0;
  std::uint64_t resets = 0;
  ArrayTimes array;  // input of the energy statistics; not a statistic itself

  DieCounters& operator+=(const DieCounters& other);
};
void describe(const DieCounters& counters, StatisticsVisitor& visitor);

class Die {
 public:
  // `store` is null if the simulation keeps no data, `cells` if cells are ideal, `tags` if pages have no tags. These
  // objects, `geometry` and `timing` must outlive the die.
  Die(std::string name, const Geometry& geometry, const NandTiming& timing, PageStore* store,
      CellArray* cells = nullptr, PageTags* tags = nullptr);
  Die(const Die&) = delete;
  Die& operator=(const Die&) = delete;

  // Whether issue() would take the command at that time.
  [[nodiscard]] bool accepts(const NandCommand& command, Tick now) const {
    if (now < ready_ && command.operation != NandOperation::reset) return false;
    // An idle die takes every read, even while another operation is suspended.
    if (state_ == State::idle && command.operation == NandOperation::read && !command.cache) return true;
    return accepts_in_state(command, now);
  }

  // Returns the time at which the array operation that the command starts or resumes ends, or `never` if it starts
  // none. A suspend gets the status fail if there was nothing left to suspend. A reset ends the array operation and
  // leaves its aborted commands to take_aborted(); every waiting response must be released before it.
  Tick issue(NandCommand& command, Tick now);
  // Removes and returns the next command that a reset has aborted; null if none is left.
  [[nodiscard]] NandCommand* take_aborted();

  // Ends the array operation: sets the data and status of its commands. Their responses follow in the order of the
  // commands.
  void finish(Tick now);

  // The command whose response is next; null if none waits.
  NandCommand* response() const { return state_ == State::responding ? active_.commands[active_.released] : nullptr; }
  // Ends that response. If a cache read or a cached program starts after it, returns the time at which that operation
  // ends, else `never`.
  Tick release(Tick now);

  // Copies the stored page of a read into its data, without errors and in no time. Returns its length in bytes; 0 if no
  // valid data are stored or the page does not exist.
  std::uint32_t peek(const NandCommand& read) const { return array_.peek(read); }

  // Declares the first `pages` pages of a block as programmed, in no time.
  void precondition(PlaneInDie plane, BlockInPlane block, std::uint32_t pages) {
    array_.precondition(geometry_.block_in_die(plane, block), pages);
  }

  // The supply fails. All operations under way are lost with their commands. Afterwards the die is as after power-on:
  //   - an erase under way leaves a spoiled block, a voltage adjustment a torn wordline;
  //   - a program of the last page of a wordline, under way, leaves the wordline torn;
  //   - pages of other incomplete wordlines were only in the latches or the cache register: those wordlines are erased
  //     and must be programmed again from their first page.
  void power_cut(Tick now);

  // Ages the cells by unsimulated time at that temperature.
  void advance(double hours, double temperature_c) { array_.advance(hours, temperature_c); }

  // Injected failures.
  DieFaults& faults() { return array_.faults(); }

  const NandArray& array() const { return array_; }

  // Whether no command is under way and no response waits.
  bool idle() const { return state_ == State::idle && suspended_.commands.empty() && aborted_.empty(); }

  // Saves or restores the state of the die in a simulation whose time is `now`. The die must be idle and ready. The
  // restoring die must have the configuration of the saving one.
  void persist(Archive& archive, Tick now);

  std::uint32_t programmed_pages(BlockInDie block) const { return array_.blocks().next_page(block); }
  bool spoiled(BlockInDie block) const { return array_.blocks().spoiled(block); }
  ProgramMode mode(BlockInDie block) const { return array_.blocks().mode(block); }

  DieCounters counters() const { return {array_.counters(), suspends_, resets_, times_}; }

 private:
  enum class State : std::uint8_t {
    idle,
    loading,     // planes of a multi-plane command are queued; the array has not started
    busy,        // the array works
    responding,  // the array has ended, responses are waiting to be fetched
  };

  struct Operation {
    NandOperation kind = NandOperation::read;
    std::vector<NandCommand*> commands;  // one for each plane
    std::size_t released = 0;
    bool complete = false;  // in the cache registers: all planes have arrived, at the time `issued`
    Tick issued = 0;
    Tick work = 0;  // array time needed when it was started or resumed
    Tick end = 0;
  };

  bool accepts_in_state(const NandCommand& command, Tick now) const;
  static bool joins(const Operation& operation, const NandCommand& command);
  // Issues a command other than a read.
  Tick issue_other(NandCommand& command, Tick now);
  // Loads the command, which is allowed, and starts the array if no further plane follows.
  Tick take(NandCommand& command, Tick now);
  Tick queue_cache_read(NandCommand& command);
  bool takes_cached_program(const NandCommand& program, Tick now) const;
  Tick queue_cached_program(NandCommand& command, Tick now);
  Tick start_cached_program(Tick now);
  // Starts the array for the loaded operation. Returns the time at which the operation ends.
  Tick start(Tick now);
  // Starts an operation other than a read.
  Tick start_other(Tick now);
  // The array works for `duration`, beginning `before` from now.
  Tick start_array(Tick before, Tick duration, Tick now);
  Tick begin_programs(Operation& operation);
  // Time to move the data from the cache register to the page register.
  Tick transfer_time(const Operation& program) const { return program.commands.back()->cache ? timing_.t_pcbsy : 0; }
  // Starts the cache read that waits behind the first page of the active read, whose response has ended.
  void confirm_cache_read(Tick now);
  // Starts the operation that waits behind the active one. Returns its end, or `never` if none waits.
  Tick start_next(Tick now);
  // Counts the operation's array time on each of its planes.
  void count_array_time(const Operation& operation);
  // The counter of array time for that operation.
  Tick& array_time(NandOperation operation);
  // Answers a command about the die itself: a feature or the parameter pages.
  void tell(NandCommand& command) const;

  // die_control.cpp
  Tick suspend(NandCommand& command, Tick now);
  Tick resume(const NandCommand& command, Tick now);
  Tick reset(NandCommand& command, Tick now);
  Tick reset_time(NandOperation interrupted) const;
  // Subtracts from the counters the remaining array time of operations that will not complete.
  void forgo(Tick now);
  void abort(Operation& operation);
  Tick set_feature(NandCommand& command, Tick now);

  const std::string name_;
  const Geometry& geometry_;
  const NandTiming& timing_;
  DieFeatures features_;
  NandArray array_;
  CommandRules rules_;

  State state_ = State::idle;
  Operation active_;
  NandCommand* cache_read_ = nullptr;  // waits for the page register that the active read fills
  Operation cached_program_;           // in the cache registers, behind the active program
  Tick cache_free_ = 0;                // when the active program leaves the cache registers
  Operation suspended_;                // has no commands if nothing is suspended
  Tick suspended_left_ = 0;            // array time that the suspended operation still needs
  Tick ready_ = 0;                     // busy until then with a suspend, a reset or SET FEATURE
  std::vector<NandCommand*> aborted_;  // commands that a reset aborted and that are not answered yet

  std::uint64_t suspends_ = 0;
  std::uint64_t resets_ = 0;
  ArrayTimes times_;
};

}  // namespace nandscape::nand

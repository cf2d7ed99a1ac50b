// SPDX-License-Identifier: Apache-2.0
// The command machine of one die. Time is an argument: the die owns no clock and schedules nothing.
//
// issue() takes a command whose command, address and data-in cycles have ended. An array operation that it starts ends
// with finish(), which its caller calls at the time issue() returned; then the pages' responses are fetched, each ended
// by release(). A command that the state forbids is a ProtocolError that tells the die's recent commands.
//
// The die is the machine: what is loaded, works, is suspended or waits to be fetched, and for how long. What it refuses
// is in its CommandRules, what its blocks and registers hold in its NandArray.
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
  ArrayTimes array;  // no figure of its own: the statistics of energy are made of it

  DieCounters& operator+=(const DieCounters& other);
};
void describe(const DieCounters& counters, StatisticsVisitor& visitor);

class Die {
 public:
  // `store` is null when the simulation keeps no data, `cells` when cells are ideal, `tags` when nobody keeps tags. All
  // of them, geometry and timing must outlive the die.
  Die(std::string name, const Geometry& geometry, const NandTiming& timing, PageStore* store,
      CellArray* cells = nullptr, PageTags* tags = nullptr);
  Die(const Die&) = delete;
  Die& operator=(const Die&) = delete;

  // Whether issue() would take the command at that time.
  bool accepts(const NandCommand& command, Tick now) const;

  // Returns when the array operation that the command starts (or resumes) ends, or `never` when it starts none.
  // Suspend sets the command's status to fail when there was nothing left to suspend. A reset must not find a response
  // that waits: it is to be released before. It ends the array operation, and leaves aborted commands to be fetched.
  Tick issue(NandCommand& command, Tick now);
  // The next of the commands that a reset has aborted, or null when there is none left.
  NandCommand* take_aborted();

  // Ends the array operation: data and status of its commands are there, in the order in which their responses go out.
  void finish(Tick now);

  // The command whose response is next, or null when none waits.
  NandCommand* response() const;
  // That response is over. Returns when a cache read behind it ends, or `never`.
  Tick release(Tick now);

  // Puts what the page of a read stores into its data, without errors and in no time. Returns its bytes; 0: it stores
  // none that mean anything, or there is no such page.
  std::uint32_t peek(const NandCommand& read) const { return array_.peek(read); }

  // Declares the first `pages` pages of a block as programmed, in no time.
  void precondition(std::uint32_t plane, std::uint32_t block, std::uint32_t pages) {
    array_.precondition(plane * geometry_.blocks_per_plane + block, pages);
  }

  // The supply fails. What is under way is lost, with its commands; afterwards the die is as after power-on:
  //   - an erase under way leaves a spoiled block, a voltage adjustment a torn wordline;
  //   - a program under way leaves its wordline torn when its page is the last one of the wordline, whose cells it was
  //     programming;
  //   - pages of other incomplete wordlines were in the latches or the cache register only: the wordlines are erased,
  //   and
  //     are programmed from their first page on.
  void power_cut(Tick now);

  // Time that is not simulated passes, at that temperature: what is stored ages.
  void advance(double hours, double temperature_c) { array_.advance(hours, temperature_c); }

  // Failures to come; blocks are numbered over the planes of the die.
  DieFaults& faults() { return array_.faults(); }

  // What its blocks and cells are in.
  const NandArray& array() const { return array_; }

  // Nothing is under way or waits to be fetched.
  bool idle() const { return state_ == State::idle && suspended_.commands.empty() && aborted_.empty(); }

  // Writes or reads back all that the die is and holds, in a simulation whose time is `now`. The die must be idle and
  // ready; one that reads has the same configuration as the one that wrote.
  void persist(Archive& archive, Tick now);

  // Of a block of the die, numbered over its planes.
  std::uint32_t programmed_pages(std::uint32_t block) const { return array_.blocks().next_page(block); }
  bool spoiled(std::uint32_t block) const { return array_.blocks().spoiled(block); }
  // No block is in SLC mode.
  bool in_native_mode() const { return !array_.blocks().any_slc(); }

  DieCounters counters() const { return {array_.counters(), suspends_, resets_, times_}; }

 private:
  enum class State : std::uint8_t {
    idle,
    loading,     // planes of a multi-plane command are queued, the array has not been started
    busy,        // the array works
    responding,  // the array has ended, responses are to be fetched
  };

  struct Operation {
    NandOperation kind = NandOperation::read;
    std::vector<NandCommand*> commands;  // one for each plane
    std::size_t released = 0;
    bool complete = false;  // in the cache registers: all of its planes have come, at the time `issued`
    Tick issued = 0;
    Tick work = 0;  // array time that it needed when it was started or resumed
    Tick end = 0;
  };

  static bool joins(const Operation& operation, const NandCommand& command);
  Tick queue_cache_read(NandCommand& command);
  bool takes_cached_program(const NandCommand& program, Tick now) const;
  Tick queue_cached_program(NandCommand& command, Tick now);
  Tick start_cached_program(Tick now);
  void load(NandCommand& command);
  Tick start(Tick now);
  Tick begin_programs(Operation& operation);
  // From the cache register to the page register.
  Tick transfer_time(const Operation& program) const { return program.commands.back()->cache ? timing_.t_pcbsy : 0; }
  // The array works for the operation from now on, on each of its planes.
  void count_array_time(const Operation& operation);
  // Of the array times, the operation's.
  Tick& array_time(NandOperation operation);
  // What the command asks of the die itself, a feature or the parameter pages.
  void tell(NandCommand& command) const;

  // die_control.cpp
  Tick suspend(NandCommand& command, Tick now);
  Tick resume(const NandCommand& command, Tick now);
  Tick reset(NandCommand& command, Tick now);
  Tick reset_time(NandOperation interrupted) const;
  // The array will not do what it has left of its work.
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
  Tick cache_free_ = 0;                // when the active program has left them
  Operation suspended_;                // no commands: nothing is suspended
  Tick suspended_left_ = 0;            // array time that the suspended operation still needs
  Tick ready_ = 0;                     // a suspend, a reset or the setting of a feature takes until then
  std::vector<NandCommand*> aborted_;  // by a reset, and still to be answered

  std::uint64_t suspends_ = 0;
  std::uint64_t resets_ = 0;
  ArrayTimes times_;
};

}  // namespace nandscape::nand

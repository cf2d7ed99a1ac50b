// SPDX-License-Identifier: Apache-2.0
// The state machine that executes the commands of one die. The functions take the current time as an argument, because
// the die has no clock and schedules no events.
//
// issue() takes a command whose command, address and data-in cycles have ended. If the command starts an array
// operation, issue() returns the time at which the operation ends, and the caller must call finish() at this time. Then
// the caller fetches the response of each page and ends the response with release(). A command that the state of the
// die forbids throws ProtocolError, whose message lists the die's recent commands.
//
// A read with `independent` ends for itself. issue() returns `never` for it; plane_read_end() tells when its array
// ends, and finish_plane_reads() takes the place of finish(), plane_response() of response(), and release_plane_read()
// of release().
//
// The die tracks which commands are loaded, running, suspended or waiting to be fetched, and for how long. CommandRules
// decides which commands are refused. NandArray holds the state of blocks and registers.
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
#include "nand/operation_commands.h"
#include "nand/page_store.h"
#include "nand/page_tags.h"
#include "nand/plane_reads.h"
#include "nand/timing.h"
#include "protocol/geometry.h"
#include "protocol/nand_command.h"

namespace nandscape::nand {

struct DieCounters : NandArrayCounters {
  std::uint64_t suspends = 0;
  std::uint64_t resets = 0;
  ArrayTimes array;  // input of the energy statistics; not reported as a statistic

  DieCounters& operator+=(const DieCounters& other);
};
void describe(const DieCounters& counters, StatisticsVisitor& visitor);

class Die {
 public:
  // `store` is null if the simulation keeps no data. `cells` is null if cells are ideal. `tags` is null if pages have
  // no tags. These objects, `geometry` and `timing` must outlive the die.
  Die(std::string name, const Geometry& geometry, const NandTiming& timing, PageStore* store,
      CellArray* cells = nullptr, PageTags* tags = nullptr);
  Die(const Die&) = delete;
  Die& operator=(const Die&) = delete;

  // Returns whether the die can take the command at time `now`. issue() may still refuse it by the rules of
  // CommandRules.
  [[nodiscard]] bool accepts(const NandCommand& command, Tick now) const;

  // Gives a command to the die. Returns the time at which the array operation that the command starts or resumes will
  // end, or `never` if the command neither starts nor resumes one, or is an independent read. Throws ProtocolError if
  // the command is not allowed.
  //
  // A suspend returns the status fail if no operation was running that can be suspended. A reset ends the array
  // operation; take_aborted() returns the commands that it has aborted. Before a reset, the caller must release every
  // waiting response.
  Tick issue(NandCommand& command, Tick now);
  // Removes and returns the next command that a reset has aborted. Returns null if none is left.
  [[nodiscard]] NandCommand* take_aborted();

  // Ends the array operation: sets the data and the status of its commands. Afterwards their responses can be fetched
  // in the order of the commands. Throws ProtocolError if no array operation has reached its end at `now`.
  void finish(Tick now);

  // Returns the command whose response is fetched next; null if no response is waiting.
  NandCommand* response() const { return state_ == State::responding ? &active_.commands[active_.released] : nullptr; }
  // Ends the response of the command that response() returns. If a waiting cache read or cached program starts
  // afterwards, returns the time at which its array operation ends, else `never`.
  Tick release(Tick now) {
    if (state_ != State::responding) [[unlikely]]
      refuse_release();
    if (next_waits_ && active_.released == 0) [[unlikely]]
      confirm_cache_read(now);
    if (++active_.released < active_.commands.size()) return never;
    active_.commands.clear();
    state_ = State::idle;
    return next_waits_ ? start_next(now) : never;
  }

  bool responding() const { return state_ == State::responding; }

  // --- independent reads

  // Returns the time at which the array of the plane ends its read. The plane must have one.
  Tick plane_read_end(PlaneInDie plane) const { return plane_reads_.end(plane); }
  // Ends the array operations of all planes whose reads end by now. Sets the data of these reads.
  void finish_plane_reads(Tick now);
  // Returns the independent read whose response is fetched next; null if no response is waiting.
  NandCommand* plane_response() const { return plane_reads_.response(); }
  // Ends the response of this read.
  void release_plane_read();

  // Copies the stored page of a read into the read's data, without bit errors and without simulated time. Returns the
  // length in bytes, or 0 if no valid data are stored or the page does not exist.
  std::uint32_t peek(const NandCommand& read) const { return array_.peek(read); }

  // Marks the first `pages` pages of a block as programmed, without simulated time.
  void precondition(PlaneInDie plane, BlockInPlane block, std::uint32_t pages) {
    array_.precondition(geometry_.block_in_die(plane, block), pages);
  }

  // Simulates a power loss. All operations under way are lost with their commands. Afterwards the die is in the state
  // that it has after power-on:
  //   - an interrupted erase leaves a spoiled block, and an interrupted voltage adjustment leaves a torn wordline;
  //   - an interrupted program of the last page of a wordline leaves the wordline torn;
  //   - pages of other incomplete wordlines were stored only in the latches or in the cache register; these wordlines
  //     are erased and must be programmed again from their first page.
  void power_cut(Tick now);

  // Ages the cells by a period that is not simulated. The period is `hours` long, and the temperature is constant.
  void advance(double hours, double temperature_c) { array_.advance(hours, temperature_c); }

  // Injected failures.
  DieFaults& faults() { return array_.faults(); }

  const NandArray& array() const { return array_; }

  // Returns whether no command is under way, suspended or aborted, and no response is waiting.
  bool idle() const { return state_ == State::idle && suspended_.commands.empty() && aborted_.empty(); }

  // Saves or restores the state of the die at the simulated time `now`. The die must be idle and ready. The die that
  // restores the state must have the same configuration as the die that saved it.
  void persist(Archive& archive, Tick now);

  std::uint32_t programmed_pages(BlockInDie block) const { return array_.blocks().next_page(block); }
  bool spoiled(BlockInDie block) const { return array_.blocks().spoiled(block); }
  ProgramMode mode(BlockInDie block) const { return array_.blocks().mode(block); }

  DieCounters counters() const { return {array_.counters(), suspends_, resets_, times_}; }
  // Returns the array time that lies after `now`. The whole time of an operation is added to the counters when it
  // starts.
  ArrayTimes array_times_ahead(Tick now) const;

 private:
  enum class State : std::uint8_t {
    idle,
    loading,      // some planes of a multi-plane command are loaded; the array has not started
    busy,         // the array works
    responding,   // the array operation has ended, and responses are waiting to be fetched
    planes_read,  // planes have independent reads
  };

  struct Operation {
    explicit Operation(std::uint32_t planes) : commands(planes) {}

    Tick work = 0;  // array time that was left when the operation was started or resumed
    Tick end = 0;
    NandOperation kind = NandOperation::read;
    std::uint32_t released = 0;
    OperationCommands commands;
  };

  static bool joins(const Operation& operation, const NandCommand& command);
  // Returns whether the die is idle, with all blocks in native mode, and the command is a read of one page, of one
  // sense at each level. Then no rule forbids the read, unless the page belongs to a suspended operation.
  bool reads_at_once(const NandCommand& command, Tick now) const {
    return state_ == State::idle && now >= ready_ && array_.blocks().ordinary() &&
           command.operation == NandOperation::read && command.alone() && command.sensing_levels == 1;
  }
  // Starts the array for such a read.
  Tick begin_read(NandCommand& command, Tick now);
  Tick read_beside_suspended(NandCommand& command, Tick now);
  // Issues a command for which the state of the die or of the blocks matters.
  Tick issue_checked(NandCommand& command, Tick now);
  // Loads a command that has been checked. Starts the array unless commands for more planes follow.
  Tick take(NandCommand& command, Tick now);
  void load(NandCommand& command);
  bool takes_plane_read(const NandCommand& command) const;
  Tick begin_plane_read(NandCommand& command, Tick now);
  Tick queue_cache_read(NandCommand& command);
  bool takes_cached_program(const NandCommand& program, Tick now) const;
  Tick queue_cached_program(NandCommand& command, Tick now);
  Tick start_cached_program(Tick now);
  // Starts the array for the loaded operation. Returns the time at which the operation ends.
  Tick start(Tick now);
  // Starts an operation other than a read.
  Tick start_other(Tick now);
  // Starts the array, which works for `duration` beginning `before` after `now`. Returns the time at which it ends.
  Tick start_array(Tick before, Tick duration, Tick now);
  // Ends an array operation other than a read of one page.
  void finish_other(Tick now);
  // Returns the array time of the active reads, which the array executes at the same time.
  Tick longest_read() const;
  Tick begin_programs(Operation& operation);
  // Returns the time that the program needs to move its data from the cache register to the page register.
  Tick transfer_time(const Operation& program) const { return program.commands.back().cache ? timing_.t_pcbsy : 0; }
  [[noreturn]] void refuse_release() const;
  // Computes when the waiting cache read, if there is one, ends. Called when the response of the first page of the
  // active read has ended.
  void confirm_cache_read(Tick now);
  // Starts the operation that waits behind the active operation, which has ended. Returns the time at which the new
  // operation ends, or `never` if it does not start yet.
  Tick start_next(Tick now);
  // Adds the array time of the active operation to the counters: once for each plane to the counter of its kind, and
  // once to the time for which the die is busy.
  void count_array_time(Tick duration);
  // Returns the member that operations of this kind use.
  static Tick& array_time(ArrayTimes& times, NandOperation operation);
  // Answers a command that asks about the die itself: a read of a feature or of the parameter page.
  void tell(NandCommand& command) const;

  // die_control.cpp
  Tick suspend(NandCommand& command, Tick now);
  Tick resume(const NandCommand& command, Tick now);
  Tick reset(NandCommand& command, Tick now);
  Tick reset_time(NandOperation interrupted) const;
  // Subtracts the remaining array time of operations that will not complete.
  void forgo(Tick now);
  void abort(Operation& operation);
  Tick set_feature(NandCommand& command, Tick now);

  // The members that every read uses follow each other, from the commands of `suspended_` to the first members of
  // `features_`. They fill two cache lines.
  NandCommand* cache_read_ = nullptr;  // waits until the active read no longer needs the page register
  Tick cached_issued_ = 0;             // time at which the last plane of the cached program has arrived
  Tick suspended_left_ = 0;            // array time that the suspended operation still needs
  Operation suspended_;                // has no commands if nothing is suspended
  Operation active_;
  State state_ = State::idle;
  bool next_waits_ = false;       // a cache read or a cached program waits behind the active operation
  bool cached_complete_ = false;  // all planes of the cached program have arrived
  Tick ready_ = 0;                // end of a suspend, a reset or SET FEATURE; the die is busy until then
  Tick cache_free_ = 0;           // time at which the active program's data leave the cache registers
  ArrayTimes times_;
  DieFeatures features_;

  // A suspend and a resume use, in addition, the members from the commands of `cached_program_` to `aborted_`.
  Operation cached_program_;  // waits in the cache registers behind the active program
  const NandTiming& timing_;
  std::uint64_t suspends_ = 0;
  std::vector<NandCommand*> aborted_;  // commands that a reset aborted and that are not answered yet
  std::uint64_t resets_ = 0;
  PlaneReads plane_reads_;
  const Geometry& geometry_;
  const std::string name_;

  NandArray array_;
  CommandRules rules_;
};

}  // namespace nandscape::nand

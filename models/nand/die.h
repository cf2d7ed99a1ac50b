// SPDX-License-Identifier: Apache-2.0
// The command machine of one die. Time is an argument: the die owns no clock and schedules nothing.
//
// issue() takes a command whose command, address and data-in cycles have ended. An array operation that it starts ends
// with finish(), which its caller calls at the time issue() returned; then the pages' responses are fetched, each ended
// by release(). A command that the state forbids is a ProtocolError that tells the die's recent commands.
//
// What happens to the cells is asked of a CellArray, when the array operation ends; without one they are ideal. A
// wordline whose last page has not been programmed is read from the die's latches, and an erased page has no errors.
//
// What a loss of power, a failure or an interrupted operation leaves half-way is torn: about half of its bits are read
// wrong, whatever the cells are, its tag reads as ~0, and stored bytes come without meaning, until the block's erase.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "core/archive.h"
#include "core/statistics.h"
#include "core/ticks.h"
#include "nand/block_states.h"
#include "nand/cell_array.h"
#include "nand/die_faults.h"
#include "nand/energy.h"
#include "nand/features.h"
#include "nand/page_store.h"
#include "nand/page_tags.h"
#include "nand/timing.h"
#include "protocol/geometry.h"
#include "protocol/nand_command.h"

namespace nandscape {

struct DieCounters {
  std::uint64_t page_reads = 0;
  std::uint64_t page_programs = 0;
  std::uint64_t block_erases = 0;
  std::uint64_t senses = 0;
  std::uint64_t suspends = 0;
  std::uint64_t resets = 0;
  std::uint64_t failures = 0;
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

  // Declares the first `pages` pages of a block as programmed, in no time.
  void precondition(std::uint32_t plane, std::uint32_t block, std::uint32_t pages);

  // The supply fails. What is under way is lost, with its commands; afterwards the die is as after power-on:
  //   - an erase under way leaves a spoiled block, a voltage adjustment a torn wordline;
  //   - a program under way leaves its wordline torn when its page is the last one of the wordline, whose cells it was
  //     programming;
  //   - pages of other incomplete wordlines were in the latches only: the wordlines are erased, and are programmed from
  //     their first page on.
  void power_cut(Tick now);

  // Time that is not simulated passes, at that temperature: what is stored ages.
  void advance(double hours, double temperature_c);

  // Failures to come; blocks are numbered over the planes of the die.
  DieFaults& faults() { return faults_; }

  // Nothing is under way or waits to be fetched.
  bool idle() const { return state_ == State::idle && suspended_.commands.empty() && aborted_.empty(); }

  // Writes or reads back all that the die is and holds, in a simulation whose time is `now`. The die must be idle and
  // ready; one that reads has the same configuration as the one that wrote.
  void persist(Archive& archive, Tick now);

  // Of a block of the die, numbered over its planes.
  std::uint32_t programmed_pages(std::uint32_t block) const { return blocks_.next_page(block); }
  bool spoiled(std::uint32_t block) const { return blocks_.spoiled(block); }
  // No block is in SLC mode, and no wordline adjusted.
  bool ordinary() const { return blocks_.ordinary(); }

  const DieCounters& counters() const { return counters_; }

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

  // What is kept of a command for messages, in the order of its fields, which copies faster.
  struct Trace {
    NandOperation operation;
    NandStatus status;
    bool more_planes;
    bool cache;
    bool single_operation;
    std::uint8_t subpage;
    std::uint8_t retry_step;
    std::uint8_t sensing_levels;
    ProgramMode mode;
    std::uint32_t die, plane, block, page;
    std::uint8_t feature;

    NandCommand command() const;
  };

  // A page in the coding that its wordline is in now.
  struct CodedPage {
    const Coding* coding;
    std::uint32_t page_type;  // of that coding
    std::uint32_t wordline;
    std::uint32_t native_type;  // of the native coding: its senses last as long

    std::uint32_t senses() const { return coding->senses(page_type); }
  };

  // A page that was read for copyback.
  struct PageRegister {
    std::uint32_t bit_errors = 0;
    bool torn = false;
    std::vector<std::byte> data;
    std::vector<std::uint64_t> tag;
  };

  std::uint32_t block_index(const NandCommand& c) const { return c.plane * geometry_.blocks_per_plane + c.block; }
  std::uint64_t row(const NandCommand& c) const {
    return std::uint64_t{block_index(c)} * geometry_.pages_per_block + c.page;
  }
  std::uint32_t wordline(const NandCommand& c) const { return c.page / timing_.bits_per_cell(); }
  CodedPage coded_page(const NandCommand& command) const;

  // die_checks.cpp: each throws unless the command is allowed.
  void check_address(const NandCommand& command) const;
  void check_read(const NandCommand& read) const {
    if (!suspended_.commands.empty()) check_suspended(read);
    if (!blocks_.ordinary()) check_coded(read);
    if (read.single_operation) check_single_operation(read);
    if (read.sensing_levels != 1) check_soft(read);
  }
  void check_suspended(const NandCommand& read) const;
  void check_coded(const NandCommand& read) const;
  void check_single_operation(const NandCommand& read) const;
  void check_soft(const NandCommand& read) const;
  void check_program(const NandCommand& program) const;
  void check_adjustment(const NandCommand& adjustment) const;
  void check_feature(const NandCommand& command) const;
  void check_parameter_page(const NandCommand& command) const;
  void remember(const NandCommand& command);
  [[noreturn]] void refuse(const NandCommand& command, const std::string& reason) const;

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
  Tick read_time(const NandCommand& read) const {
    const bool as_given = blocks_.ordinary() && read.sensing_levels == 1;
    return as_given ? features_.read_time(timing_.page_type(read.page)) : coded_read_time(read);
  }
  Tick coded_read_time(const NandCommand& read) const;
  Tick program_time(const NandCommand& program) const;
  // Of the counters of array times, the operation's.
  Tick& array_time(NandOperation operation);

  // die_control.cpp
  Tick suspend(NandCommand& command, Tick now);
  Tick resume(const NandCommand& command, Tick now);
  Tick reset(NandCommand& command, Tick now);
  Tick reset_time(NandOperation interrupted) const;
  // The array will not do what it has left of its work.
  void forgo(Tick now);
  void interrupt(const Operation& operation);
  void abort(Operation& operation);
  Tick set_feature(NandCommand& command, Tick now);

  // die_power.cpp
  void cut(const Operation& operation);
  void lose_latched_pages(std::uint32_t block);

  // die_array.cpp: the array operation has ended.
  void finish_command(NandCommand& command, Tick now);
  // The page goes to `data`, unless that is null.
  void finish_read(NandCommand& command, std::byte* data, Tick now);
  void sense(NandCommand& command, std::byte* data, Tick now);
  bool torn(const NandCommand& c) const {
    return (blocks_.damaged() && blocks_.torn(block_index(c), c.page)) || faults_.dead();
  }
  void read_torn(NandCommand& command, std::byte* data);
  // All senses agree.
  void sense_alike(const NandCommand& command, const std::byte* data) const;
  void read_tag(const NandCommand& command, std::span<std::uint64_t> tag) const;
  std::uint32_t bytes_sensed(const NandCommand& command) const;
  bool in_cells(const NandCommand& command, const CodedPage& page) const;
  void finish_program(NandCommand& command, Tick now);
  bool program_cells(const NandCommand& command, const std::byte* data, Tick now);
  // Programming the page programs the cells of its wordline.
  bool completes_wordline(const NandCommand& command) const;
  void tear_wordline(const NandCommand& command);
  void finish_erase(NandCommand& command, Tick now);
  void finish_adjustment(NandCommand& command, Tick now);
  void lose_block(std::uint32_t block);
  void fill_register(NandCommand& command, Tick now);
  void modify_register(const NandCommand& command);
  void read_parameter_page(NandCommand& command) const;

  std::string name_;
  const Geometry& geometry_;
  const NandTiming& timing_;
  PageStore* store_;
  CellArray* cells_;
  PageTags* tags_;

  State state_ = State::idle;
  Operation active_;
  NandCommand* cache_read_ = nullptr;  // waits for the page register that the active read fills
  Operation cached_program_;           // in the cache registers, behind the active program
  Tick cache_free_ = 0;                // when the active program has left them
  Operation suspended_;                // no commands: nothing is suspended
  Tick suspended_left_ = 0;            // array time that the suspended operation still needs
  Tick ready_ = 0;                     // a suspend, a reset or the setting of a feature takes until then
  std::vector<NandCommand*> aborted_;  // by a reset, and still to be answered
  BlockStates blocks_;
  DieFeatures features_;
  DieFaults faults_;
  std::vector<PageRegister> registers_;  // by plane
  std::uint32_t copyback_ready_ = 0;     // a bit for each plane whose register holds a page for copyback

  std::array<Trace, 8> history_{};
  std::size_t history_length_ = 0;
  DieCounters counters_;
};

}  // namespace nandscape

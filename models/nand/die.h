// SPDX-License-Identifier: Apache-2.0
// The command machine of one die. Time is an argument: the die owns no clock and schedules nothing.
//
// issue() takes a command whose command, address and data-in cycles have ended. An array operation that it starts ends
// with finish(), which its caller calls at the time issue() returned; then the pages' responses are fetched, each ended
// by release(). A command that the state forbids is a ProtocolError that tells the die's recent commands.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "core/statistics.h"
#include "core/ticks.h"
#include "nand/page_store.h"
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

  DieCounters& operator+=(const DieCounters& other);
};
void describe(const DieCounters& counters, StatisticsVisitor& visitor);

class Die {
 public:
  // `store` is null when the simulation keeps no data. Name, geometry, timing and store must outlive the die.
  Die(std::string name, const Geometry& geometry, const NandTiming& timing, PageStore* store);

  // Whether issue() would take the command at that time.
  bool accepts(const NandCommand& command, Tick now) const;

  // Returns when the array operation that the command starts (or resumes) ends, or `never` when it starts none.
  // Suspend sets the command's status to fail when there was nothing left to suspend.
  Tick issue(NandCommand& command, Tick now);

  // Ends the array operation: data and status of its commands are there, in the order in which their responses go out.
  void finish(Tick now);

  // The command whose response is next, or null when none waits.
  NandCommand* response() const;
  // That response is over. Returns when a cache read behind it ends, or `never`.
  Tick release(Tick now);

  // Declares the first `pages` pages of a block as programmed, in no time.
  void precondition(std::uint32_t plane, std::uint32_t block, std::uint32_t pages);

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
    Tick work = 0;  // array time that it needed when it was started or resumed
    Tick end = 0;
  };

  // What is kept of a command for messages.
  struct Trace {
    NandOperation operation;
    bool more_planes;
    bool cache;
    std::uint32_t plane, block, page;

    NandCommand command() const;
  };

  std::uint32_t block_index(const NandCommand& c) const { return c.plane * geometry_.blocks_per_plane + c.block; }
  std::uint64_t row(const NandCommand& c) const {
    return std::uint64_t{block_index(c)} * geometry_.pages_per_block + c.page;
  }
  void check_address(const NandCommand& command) const;
  void load(NandCommand& command);
  void check_order(const NandCommand& program) const;
  void check_suspended(const NandCommand& read) const;
  Tick start(Tick now);
  Tick suspend(NandCommand& command, Tick now);
  Tick resume(Tick now);
  void finish_page(NandCommand& command);
  void remember(const NandCommand& command);
  [[noreturn]] void refuse(const NandCommand& command, const std::string& reason) const;

  std::string name_;
  const Geometry& geometry_;
  const NandTiming& timing_;
  PageStore* store_;

  State state_ = State::idle;
  Operation active_;
  NandCommand* cache_read_ = nullptr;     // waits for the page register that the active read fills
  Operation suspended_;                   // no commands: nothing is suspended
  Tick suspended_left_ = 0;               // array time that the suspended operation still needs
  Tick ready_ = 0;                        // a suspend takes until then
  std::vector<std::uint16_t> next_page_;  // by block of the die: the page that may be programmed next

  std::array<Trace, 8> history_{};
  std::size_t history_length_ = 0;
  DieCounters counters_;
};

}  // namespace nandscape

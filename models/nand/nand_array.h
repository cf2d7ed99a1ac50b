// SPDX-License-Identifier: Apache-2.0
// The array of one die, over all planes: the content of blocks and page registers, and how it changes when an operation
// ends, is interrupted or loses its supply. The die tells it which operation ended and when; CommandRules decides
// beforehand whether the command is allowed (command_rules.h).
//
// The array calls the CellArray when an operation ends; without one, cells are ideal. A wordline whose last page has
// not been programmed is read from the die's latches. An erased page has no errors.
//
// A page is torn if a loss of power, a failure or an interrupted operation left its cells half-way. Until the block's
// next erase, about half of its bits are misread, whatever the cell model; its tag reads as ~0, and its bytes are
// meaningless.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "core/archive.h"
#include "core/ticks.h"
#include "nand/block_states.h"
#include "nand/cell_array.h"
#include "nand/die_faults.h"
#include "nand/features.h"
#include "nand/page_registers.h"
#include "nand/page_store.h"
#include "nand/page_tags.h"
#include "nand/timing.h"
#include "protocol/geometry.h"
#include "protocol/nand_command.h"

namespace nandscape::nand {

struct NandArrayCounters {
  std::uint64_t page_reads = 0;
  std::uint64_t page_programs = 0;
  std::uint64_t block_erases = 0;
  std::uint64_t senses = 0;
  std::uint64_t failures = 0;

  NandArrayCounters& operator+=(const NandArrayCounters& other);
};

class NandArray {
 public:
  using Commands = std::vector<NandCommand*>;

  // `store` is null if the simulation keeps no data, `cells` if cells are ideal, `tags` if pages have no tags. These
  // objects, `geometry`, `timing` and `features` must outlive the array.
  NandArray(const Geometry& geometry, const NandTiming& timing, const DieFeatures& features, PageStore* store,
            CellArray* cells, PageTags* tags);

  // The command's block, and its wordline in that block.
  BlockInDie block_index(const NandCommand& c) const { return geometry_.block_in_die(c.plane, c.block); }
  std::uint32_t wordline(const NandCommand& c) const { return c.page / timing_.bits_per_cell(); }

  const BlockStates& blocks() const { return blocks_; }
  const PageRegisters& registers() const { return registers_; }
  PageRegisters& registers() { return registers_; }
  // Injected failures.
  DieFaults& faults() { return faults_; }
  // Whether the simulation keeps the data of pages with their spare bytes.
  bool keeps_spare() const { return store_ != nullptr && store_->keeps_spare(); }

  // Array time of the command.
  Tick read_time(const NandCommand& read) const {
    const bool as_given = blocks_.ordinary() && read.sensing_levels == 1;
    return as_given ? features_.read_time(timing_.page_type(read.page)) : coded_read_time(read);
  }
  Tick program_time(const NandCommand& program) const;

  void precondition(BlockInDie block, std::uint32_t pages) { blocks_.precondition(block, pages); }
  // From now on the page counts as programmed, even if the program fails or is interrupted.
  void begin_program(const NandCommand& program) { blocks_.program(block_index(program), program.mode); }
  // Undoes begin_program(): the supply failed while the data waited in the cache register.
  void drop(const NandCommand& program);
  // Ends a read, program, erase or adjustment: sets its data and status. Pages of suspended programs, which have begun,
  // are still in the latches. Other commands do not use the array and pass.
  void finish(NandCommand& command, const Commands& suspended, Tick now) {
    command.status = NandStatus::pass;
    if (command.operation == NandOperation::read) {
      finish_read(command, command.data, suspended, now);
    } else {
      finish_other(command, suspended, now);
    }
  }
  // A reset, or a failing supply, ends the command half-way, whether it is running or suspended.
  void interrupt(const NandCommand& command);

  // The supply has failed: clears latches and registers.
  void lose_latches();

  // Ages the cells by unsimulated time at that temperature.
  void advance(double hours, double temperature_c);

  const NandArrayCounters& counters() const { return counters_; }

  std::uint32_t peek(const NandCommand& read) const;

  // Number of wordlines of the block, from wordline 0 onward, whose cells are programmed.
  std::uint32_t programmed_wordlines(BlockInDie block) const;
  // The threshold voltages of such a wordline, in mV; no command may be under way. Empty if the wordline is torn.
  // Throws RequestError if cells are not modelled one by one.
  std::vector<float> threshold_voltages(WordlineAddress where, Tick now) const;

  // Saves or restores the state of the array in a simulation whose time is `now`.
  void persist(Archive& archive, Tick now);

 private:
  // A page in the present coding of its wordline.
  struct CodedPage {
    const Coding* coding;
    std::uint32_t page_type;  // type in that coding
    std::uint32_t wordline;
    std::uint32_t native_type;  // type in the native coding

    std::uint32_t senses() const { return coding->senses(page_type); }
  };
  std::uint64_t row(const NandCommand& c) const {
    return std::uint64_t{block_index(c).value} * geometry_.pages_per_block + c.page;
  }
  CodedPage coded_page(const NandCommand& command) const;
  Tick coded_read_time(const NandCommand& read) const;

  void finish_other(NandCommand& command, const Commands& suspended, Tick now);
  // Stores the page in `data` unless that is null.
  void finish_read(NandCommand& command, std::byte* data, const Commands& suspended, Tick now);
  void sense(NandCommand& command, std::byte* data, const Commands& suspended, Tick now);
  bool torn(const NandCommand& c) const {
    return (blocks_.damaged() && blocks_.torn(block_index(c), c.page)) || faults_.dead();
  }
  void read_torn(NandCommand& command, std::byte* data);
  void read_stored(const NandCommand& command, std::byte* data) const;
  // Fills `sensed_ones` of a soft read as if all senses agreed.
  void sense_alike(const NandCommand& command, const std::byte* data) const;
  void read_tag(const NandCommand& command, std::span<std::uint64_t> tag) const;
  std::uint32_t bytes_sensed(const NandCommand& command) const;
  Adjustments adjustments(WordlineAddress where) const;
  // The fields of a SenseOrder that depend only on the page, not on the command.
  SenseOrder sense_order(BlockInDie block, const CodedPage& page) const;
  bool in_cells(const NandCommand& command, const CodedPage& page, const Commands& suspended) const;
  void finish_program(NandCommand& command, Tick now);
  bool program_cells(const NandCommand& command, const std::byte* data, Tick now);
  // Whether the page is the last of its wordline, so that its program programs the cells.
  bool completes_wordline(const NandCommand& command) const;
  void tear_wordline(const NandCommand& command);
  void finish_erase(NandCommand& command, Tick now);
  void finish_adjustment(NandCommand& command, Tick now);
  void lose_block(BlockInDie block);
  void fill_register(NandCommand& command, const Commands& suspended, Tick now);
  void lose_latched_pages(BlockInDie block);

  const Geometry& geometry_;
  const NandTiming& timing_;
  const DieFeatures& features_;
  PageStore* const store_;
  CellArray* const cells_;
  PageTags* const tags_;

  BlockStates blocks_;
  PageRegisters registers_;
  DieFaults faults_;
  NandArrayCounters counters_;
};

}  // namespace nandscape::nand

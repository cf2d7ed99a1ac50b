// SPDX-License-Identifier: Apache-2.0
// The array of one die, in all of its planes: what the blocks and the page registers hold, and what becomes of it when
// an operation ends, is interrupted or loses its supply. It is told what to do and when it is done; that commands may
// be given at all is for the rules to say (command_rules.h).
//
// What happens to the cells is asked of a CellArray, when the array operation ends; without one they are ideal. A
// wordline whose last page has not been programmed is read from the die's latches, and an erased page has no errors.
//
// What a loss of power, a failure or an interrupted operation leaves half-way is torn: about half of its bits are read
// wrong, whatever the cells are, its tag reads as ~0, and stored bytes come without meaning, until the block's erase.
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

  // `store` is null when the simulation keeps no data, `cells` when cells are ideal, `tags` when nobody keeps tags. All
  // of them, geometry, timing and features must outlive the array.
  NandArray(const Geometry& geometry, const NandTiming& timing, const DieFeatures& features, PageStore* store,
            CellArray* cells, PageTags* tags);

  // Of a block of the die, numbered over its planes, and of a wordline of that block.
  std::uint32_t block_index(const NandCommand& c) const { return c.plane * geometry_.blocks_per_plane + c.block; }
  std::uint32_t wordline(const NandCommand& c) const { return c.page / timing_.bits_per_cell(); }

  const BlockStates& blocks() const { return blocks_; }
  const PageRegisters& registers() const { return registers_; }
  PageRegisters& registers() { return registers_; }
  // Failures to come.
  DieFaults& faults() { return faults_; }
  // Of each page the simulation keeps all that is sensed.
  bool keeps_spare() const { return store_ != nullptr && store_->keeps_spare(); }

  // How long the array works.
  Tick read_time(const NandCommand& read) const {
    const bool as_given = blocks_.ordinary() && read.sensing_levels == 1;
    return as_given ? features_.read_time(timing_.page_type(read.page)) : coded_read_time(read);
  }
  Tick program_time(const NandCommand& program) const;

  void precondition(std::uint32_t block, std::uint32_t pages) { blocks_.precondition(block, pages); }
  // From now on the page counts as programmed, whatever becomes of the program.
  void begin_program(const NandCommand& program) { blocks_.program(block_index(program), program.mode); }
  // It has not: the supply fails while its data wait in the cache register.
  void drop(const NandCommand& program);
  // The read, program, erase or adjustment ends: its data and its status are there. Pages of programs that are
  // suspended, which have begun, are still in the latches. Other commands have nothing to do with the array, and pass.
  void finish(NandCommand& command, const Commands& suspended, Tick now) {
    command.status = NandStatus::pass;
    if (command.operation == NandOperation::read) {
      finish_read(command, command.data, suspended, now);
    } else {
      finish_other(command, suspended, now);
    }
  }
  // A reset ends it half-way, or the supply fails while the array works for it or is suspended from it.
  void interrupt(const NandCommand& command);

  // The supply has failed: what waits in latches and registers is lost.
  void lose_latches();

  // Time that is not simulated passes, at that temperature.
  void advance(double hours, double temperature_c);

  const NandArrayCounters& counters() const { return counters_; }

  std::uint32_t peek(const NandCommand& read) const;

  // Wordlines of a block of the die whose cells are programmed, the first ones.
  std::uint32_t programmed_wordlines(std::uint32_t block) const;
  // The threshold voltages of such a wordline, in mV, while nothing is under way; none of a wordline that is torn.
  // Throws RequestError where cells are not there one by one.
  std::vector<float> threshold_voltages(WordlineAddress where, Tick now) const;

  // Writes or reads back all that it holds, in a simulation whose time is `now`.
  void persist(Archive& archive, Tick now);

 private:
  // A page in the coding that its wordline is in now.
  struct CodedPage {
    const Coding* coding;
    std::uint32_t page_type;  // of that coding
    std::uint32_t wordline;
    std::uint32_t native_type;  // of the native coding

    std::uint32_t senses() const { return coding->senses(page_type); }
  };
  std::uint64_t row(const NandCommand& c) const {
    return std::uint64_t{block_index(c)} * geometry_.pages_per_block + c.page;
  }
  CodedPage coded_page(const NandCommand& command) const;
  Tick coded_read_time(const NandCommand& read) const;

  void finish_other(NandCommand& command, const Commands& suspended, Tick now);
  // The page goes to `data`, unless that is null.
  void finish_read(NandCommand& command, std::byte* data, const Commands& suspended, Tick now);
  void sense(NandCommand& command, std::byte* data, const Commands& suspended, Tick now);
  bool torn(const NandCommand& c) const {
    return (blocks_.damaged() && blocks_.torn(block_index(c), c.page)) || faults_.dead();
  }
  void read_torn(NandCommand& command, std::byte* data);
  // All senses agree.
  void sense_alike(const NandCommand& command, const std::byte* data) const;
  void read_tag(const NandCommand& command, std::span<std::uint64_t> tag) const;
  std::uint32_t bytes_sensed(const NandCommand& command) const;
  Adjustments adjustments(WordlineAddress where) const;
  // Of a page, the parts that do not depend on what is read of it.
  SenseOrder sense_order(std::uint32_t block, const CodedPage& page) const;
  bool in_cells(const NandCommand& command, const CodedPage& page, const Commands& suspended) const;
  void finish_program(NandCommand& command, Tick now);
  bool program_cells(const NandCommand& command, const std::byte* data, Tick now);
  // Programming the page programs the cells of its wordline.
  bool completes_wordline(const NandCommand& command) const;
  void tear_wordline(const NandCommand& command);
  void finish_erase(NandCommand& command, Tick now);
  void finish_adjustment(NandCommand& command, Tick now);
  void lose_block(std::uint32_t block);
  void fill_register(NandCommand& command, const Commands& suspended, Tick now);
  void lose_latched_pages(std::uint32_t block);

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

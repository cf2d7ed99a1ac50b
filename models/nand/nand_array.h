// SPDX-License-Identifier: Apache-2.0
// The flash array of one die, with all its planes: the content of blocks and page registers, and how this content
// changes when an operation ends or is interrupted or when the power fails. The die reports which operation has ended
// and when. CommandRules (command_rules.h) decides beforehand whether a command is allowed.
//
// The array calls the CellArray when an operation ends. If there is no CellArray, cells are ideal. Pages of a wordline
// whose last page has not been programmed are read from the die's latches. An erased page has no errors.
//
// A page is torn if a power loss, a failure or an interrupted operation left its cells half-programmed. Until the next
// erase of the block, about half of the page's bits are misread with every cell model. Its tag reads as ~0, and its
// bytes are meaningless. If the cells are programmed in two passes, pages are also torn between the passes. The
// CellArray is called in the second pass only.
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

#include "core/archive.h"
#include "core/ticks.h"
#include "nand/block_states.h"
#include "nand/cell_array.h"
#include "nand/die_faults.h"
#include "nand/features.h"
#include "nand/operation_commands.h"
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

class alignas(64) NandArray {
 public:
  using Commands = std::span<NandCommand* const>;

  // `store` is null if the simulation keeps no data. `cells` is null if cells are ideal. `tags` is null if pages have
  // no tags. These objects, `geometry`, `timing` and `features` must outlive the array.
  NandArray(const Geometry& geometry, const NandTiming& timing, const DieFeatures& features, PageStore* store,
            CellArray* cells, PageTags* tags);

  // Return the block of a command, and the number of its wordline in this block.
  BlockInDie block_index(const NandCommand& c) const { return geometry_.block_in_die(c.plane, c.block); }
  std::uint32_t wordline(const NandCommand& c) const { return c.page / timing_.bits_per_cell(); }

  const BlockStates& blocks() const { return blocks_; }
  const PageRegisters& registers() const { return registers_; }
  PageRegisters& registers() { return registers_; }
  // Injected failures.
  DieFaults& faults() { return faults_; }
  // Returns whether the simulation keeps the data of pages together with their spare bytes.
  bool keeps_spare() const { return store_ != nullptr && store_->keeps_spare(); }

  // Array time of the command.
  Tick read_time(const NandCommand& read) const {
    if (blocks_.ordinary() && read.sensing_levels == 1) [[likely]]
      return features_.read_time(timing_.page_type(read.page));
    return coded_read_time(read);
  }
  Tick program_time(const NandCommand& program) const;

  void precondition(BlockInDie block, std::uint32_t pages) { blocks_.precondition(block, pages); }
  // Marks the page as programmed. The mark remains even if the program fails or is interrupted.
  void begin_program(const NandCommand& program) {
    if (timing_.two_passes()) [[unlikely]]
      return begin_pass(program);
    blocks_.program(block_index(program), program.mode);
  }
  // Undoes begin_program() for a program whose data were still in the cache register when the power failed.
  void drop(const NandCommand& program);
  // Ends a read, program, erase or voltage adjustment: sets the data and the status of the command. `suspended` holds
  // the commands of the suspended operation; pages of suspended programs are still in the latches. Commands that do not
  // use the array get the status pass.
  void finish(NandCommand& command, const OperationCommands& suspended, Tick now) {
    command.status = NandStatus::pass;
    if (command.operation != NandOperation::read) return finish_other(command, suspended, now);
    finish_read(command, command.data, suspended, now);
  }
  // Stops a running or suspended command half-way, because of a reset or a power loss.
  void interrupt(const NandCommand& command);

  // Call at a power loss. Clears the latches and the page registers.
  void lose_latches();

  // Ages the cells by a period that is not simulated. The period is `hours` long, and the temperature is constant.
  void advance(double hours, double temperature_c);

  const NandArrayCounters& counters() const { return counters_; }

  std::uint32_t peek(const NandCommand& read) const;

  // Returns the number of wordlines of the block, counted from wordline 0, whose cells are programmed. Wordlines at the
  // end that lack their second pass do not count.
  std::uint32_t programmed_wordlines(BlockInDie block) const;
  // Returns the threshold voltages, in mV, of the cells of a programmed wordline. No command may be under way. Returns
  // an empty vector if the wordline is torn. Throws RequestError if the simulation does not model cells one by one.
  std::vector<float> threshold_voltages(WordlineAddress where, Tick now) const;

  // Saves or restores the state of the array at the simulated time `now`.
  void persist(Archive& archive, Tick now);

 private:
  // A page in the current coding of its wordline.
  struct CodedPage {
    const Coding* coding;
    std::uint32_t page_type;  // page type in this coding
    std::uint32_t wordline;
    std::uint32_t native_type;  // page type in the native coding

    std::uint32_t senses() const { return coding->senses(page_type); }
  };
  std::uint64_t row(const NandCommand& c) const {
    return std::uint64_t{block_index(c).value} * geometry_.pages_per_block + c.page;
  }
  CodedPage coded_page(const NandCommand& command, BlockInDie block) const;
  Tick coded_read_time(const NandCommand& read) const;

  // Returns whether another pass must follow before the page can be read.
  bool is_coarse(const NandCommand& program) const {
    return timing_.two_passes() && program.mode == ProgramMode::native && program.pass == ProgramPass::first;
  }
  // Continues begin_program() for cells that are programmed in two passes.
  void begin_pass(const NandCommand& program);
  void finish_other(NandCommand& command, const OperationCommands& suspended, Tick now);
  // Ends a read. Stores the page in `data`, unless `data` is null.
  void finish_read(NandCommand& c, std::byte* data, const OperationCommands& suspended, Tick now) {
    ++counters_.page_reads;
    c.raw_bit_errors = 0;
    c.worst_codeword_errors = 0;
    c.misread_probability = 0;
    c.erased_page = blocks_.erased(block_index(c), c.page);
    c.adjusted_block = false;
    const bool plain = plain_reads_ && blocks_.plain() && c.tag.empty() && c.codeword_errors.empty();
    if (!plain || c.sensing_levels != 1 || faults_.dead()) return finish_content(c, data, suspended, now);
    counters_.senses += timing_.senses[timing_.page_type(c.page)];
  }
  // Ends a read of a page that may have content or errors, or that may have been programmed in another coding.
  void finish_content(NandCommand& command, std::byte* data, Commands suspended, Tick now);
  void sense(NandCommand& command, std::byte* data, Commands suspended, Tick now);
  bool torn(const NandCommand& c) const {
    return (blocks_.damaged() && blocks_.torn(block_index(c), c.page)) || faults_.dead();
  }
  void read_torn(NandCommand& command, std::byte* data);
  void read_stored(const NandCommand& command, std::byte* data) const;
  // Fills in `sensed_ones` of a soft read as if all senses of a bit had the same result.
  void sense_alike(const NandCommand& command, const std::byte* data) const;
  void read_tag(const NandCommand& command, std::span<std::uint64_t> tag) const;
  std::uint32_t bytes_sensed(const NandCommand& command) const;
  Adjustments adjustments(WordlineAddress where) const;
  SenseOrder sense_order(const NandCommand& read, BlockInDie block, const CodedPage& page, std::byte* data) const;
  bool in_cells(BlockInDie block, const CodedPage& page, Commands suspended) const;
  void finish_program(NandCommand& command, Tick now);
  void finish_coarse_program(NandCommand& command);
  bool program_cells(const NandCommand& command, const std::byte* data, Tick now);
  // Returns whether the page is the last page of its wordline. Programming this page programs the cells; earlier pages
  // wait in the latches.
  bool completes_wordline(const NandCommand& command) const;
  void tear_wordline(const NandCommand& command);
  void finish_erase(NandCommand& command, Tick now);
  void finish_adjustment(NandCommand& command, Tick now);
  void lose_block(BlockInDie block);
  void fill_register(NandCommand& command, const OperationCommands& suspended, Tick now);
  void lose_latched_pages(BlockInDie block);

  PageStore* const store_;
  CellArray* const cells_;
  PageTags* const tags_;
  // The members that every read uses follow each other, from the last member of `registers_` to the first members of
  // `blocks_`. They fill two cache lines.
  PageRegisters registers_;
  NandArrayCounters counters_;
  const Geometry& geometry_;
  const NandTiming& timing_;
  const DieFeatures& features_;
  const bool plain_reads_;  // the simulation keeps no data and cells are ideal, so a hard read without a tag has no
                            // content and no errors
  DieFaults faults_;
  BlockStates blocks_;
};

}  // namespace nandscape::nand

// SPDX-License-Identifier: Apache-2.0
#include "nand/command_rules.h"

#include <algorithm>

#include "core/error.h"
#include "nand/parameter_page.h"
#include "protocol/sensing_levels.h"

namespace nandscape::nand {

void CommandRules::refuse_address(const NandCommand& c) const {
  refuse(c, "the address is out of range: the die has " + std::to_string(geometry_.planes_per_die) + " planes of " +
                std::to_string(geometry_.blocks_per_plane) + " blocks of " + std::to_string(geometry_.pages_per_block) +
                " pages");
}

void CommandRules::refuse_long(const NandCommand& c) const {
  refuse(c, "its data extend past the end of the page, which has " + std::to_string(geometry_.page_bytes) + " bytes");
}

void CommandRules::check_suspended(const NandCommand& read, Commands suspended) const {
  for (const NandCommand* c : suspended) {
    const bool same_cells =
        c->operation == NandOperation::erase || c->page == read.page ||
        (c->operation == NandOperation::adjust_voltage && array_.wordline(*c) == array_.wordline(read));
    if (c->plane == read.plane && c->block == read.block && same_cells) {
      refuse(read, "it reads cells of a suspended operation: " + to_string(*c));
    }
  }
}

void CommandRules::check_coded(const NandCommand& read) const {
  const BlockStates& blocks = array_.blocks();
  const BlockInDie block = array_.block_index(read);
  if (blocks.slc(block)) {
    if (const std::uint32_t pages = blocks.pages(ProgramMode::slc); read.page >= pages) {
      refuse(read, "the block is in SLC mode and has only " + std::to_string(pages) + " pages");
    }
  }
}

void CommandRules::check_single_operation(const NandCommand& read, Commands queued) const {
  const std::uint32_t subpage_bytes = geometry_.page_bytes / subpages_per_page;
  if (read.operation != NandOperation::read || read.cache) {
    refuse(read, "only plain reads can be parts of a single-operation read");
  }
  const bool exist = read.subpages != 0 && read.subpages <= all_subpages;
  const std::uint32_t first = read.first_byte / subpage_bytes;
  const std::uint32_t end = (read.first_byte + read.bytes + subpage_bytes - 1) / subpage_bytes;
  const std::uint32_t touched = read.bytes == 0 ? 0 : (1u << end) - (1u << first);
  if (!exist || (touched & ~read.subpages) != 0) {
    refuse(read, "its data do not lie in those subpages: a page has " + std::to_string(subpages_per_page) + " of " +
                     std::to_string(subpage_bytes) + " bytes");
  }
  for (const NandCommand* other : queued) {
    if (other->plane != read.plane) continue;
    if ((other->subpages & read.subpages) != 0) refuse(read, "it shares its bitlines with " + to_string(*other));
    if (other->block == read.block) refuse(read, "it shares its block decoder with " + to_string(*other));
  }
}

void CommandRules::check_soft(const NandCommand& read) const {
  if (read.operation != NandOperation::read)
    refuse(read, "only plain reads can be soft: the page register holds one bit of each cell");
  if (read.sensing_levels < 1 || read.sensing_levels > most_sensing_levels) {
    refuse(read, "a read takes 1 to " + std::to_string(most_sensing_levels) + " sensing levels");
  }
  if (read.earlier_levels >= read.sensing_levels) {
    refuse(read, "earlier reads have made " + std::to_string(read.earlier_levels) + " of its senses, so it adds none");
  }
  const bool keeps_all = read.data != nullptr && array_.keeps_spare();
  if (!read.sensed_ones.empty() && !keeps_all) {
    refuse(read, "it asks for sensed_ones, but the simulation does not keep data with their spare bytes");
  }
}

void CommandRules::check_independent(const NandCommand& read) const {
  if (!geometry_.independent_plane_reads) {
    refuse(read, "the planes of the die cannot read on their own (nand.independent_plane_reads)");
  }
  if (read.more_planes || read.cache || read.single_operation) {
    refuse(read, "an independent read is of one page; it neither joins reads of other planes nor is a cache read");
  }
}

void CommandRules::check_program(const NandCommand& program) const {
  const BlockStates& blocks = array_.blocks();
  const BlockInDie block = array_.block_index(program);
  const std::uint32_t next = blocks.next_page(block);
  if (blocks.spoiled(block)) refuse(program, "the erase of its block failed or was interrupted; it must be erased");
  if (program.pass == ProgramPass::again) return check_second_pass(program);
  if (const auto again = blocks.next_of_second_pass(block)) {
    refuse(program, "a wordline of its block is in its second pass; page " + std::to_string(*again) + " is next");
  }
  if (program.operation == NandOperation::copyback_program && timing_.two_passes() &&
      program.mode == ProgramMode::native) {
    refuse(program, "the die programs its cells in two passes, and its page register holds a page only for one");
  }
  if (next != 0 && program.mode != blocks.mode(block)) {
    refuse(program, blocks.slc(block) ? "its block is in SLC mode until it is erased"
                                      : "its block has been programmed in native mode; it must be erased first");
  }
  if (const std::uint32_t pages = blocks.pages(program.mode); program.page >= pages) {
    refuse(program, "in SLC mode a block has " + std::to_string(pages) + " pages");
  }
  if (program.page < next) refuse(program, "the page is programmed already; its block must be erased first");
  if (program.page > next) {
    refuse(program, "pages of a block are programmed in order; page " + std::to_string(next) + " is next");
  }
  if (program.operation == NandOperation::copyback_program && !array_.registers().holds_page(program.plane)) {
    refuse(program, "the page register of its plane holds no page that was read for copyback");
  }
}

// The second pass of a wordline directly follows the first pass of the next one. At the end of the block, the second
// passes of the last two wordlines follow.
void CommandRules::check_second_pass(const NandCommand& program) const {
  const BlockStates& blocks = array_.blocks();
  const BlockInDie block = array_.block_index(program);
  if (program.operation != NandOperation::program) refuse(program, "only plain programs have a second pass");
  if (!timing_.two_passes()) refuse(program, "the die programs its cells in one pass");
  if (program.mode != ProgramMode::native || blocks.slc(block)) refuse(program, "in SLC mode there is one pass");
  const std::uint32_t pages = geometry_.pages_per_block;
  const std::uint32_t next = blocks.next_page(block);
  const BlockStates::WordlinePages own = blocks.wordline_of(block, program.page);
  if (own.end > next) refuse(program, "its wordline has not had its first pass");
  if (!blocks.torn(block, program.page)) refuse(program, "its wordline has had both passes");
  const std::uint32_t end_of_next = own.end == pages ? pages : blocks.wordline_of(block, own.end).end;
  if (next < end_of_next) {
    refuse(program, "the next wordline has its first pass before; page " + std::to_string(next) + " is next");
  }
  if (next > end_of_next) refuse(program, "it is too late: the wordline after the next one has begun its first pass");
  const std::uint32_t expected = blocks.next_of_second_pass(block).value_or(own.first);
  if (program.page != expected) {
    refuse(program, "the pages of a wordline are sent in order; page " + std::to_string(expected) + " is next");
  }
}

void CommandRules::check_adjustment(const NandCommand& adjustment) const {
  const BlockStates& blocks = array_.blocks();
  const BlockInDie block = array_.block_index(adjustment);
  const std::uint32_t bits = timing_.bits_per_cell();
  if (blocks.slc(block)) refuse(adjustment, "its block is in SLC mode: there are no states to merge");
  if (blocks.next_page(block) < (array_.wordline(adjustment) + 1) * bits) {
    refuse(adjustment, "the pages of its wordline are not all programmed");
  }
  const std::uint32_t now_valid = blocks.adjusted(block, array_.wordline(adjustment)).value_or((1u << bits) - 1);
  const std::uint32_t valid = adjustment.valid_pages;
  if (valid == 0 || valid == now_valid || (valid & ~now_valid) != 0) {
    refuse(adjustment, "valid_pages is " + std::to_string(valid) +
                           "; it must name some, but not all, of the pages in " + std::to_string(now_valid));
  }
}

void CommandRules::check_feature(const NandCommand& command) const {
  if (!features_.exists(command.feature)) refuse(command, "the die has no such feature");
  if (command.more_planes) refuse(command, "it is for the whole die and cannot be queued");
}

void CommandRules::check_parameter_page(const NandCommand& command) const {
  if (command.more_planes) refuse(command, "it is for the whole die and cannot be queued");
  if (command.first_byte + command.bytes > parameter_page_copies * sizeof(ParameterPage)) {
    refuse(command, "its data extend past the parameter pages, " + std::to_string(parameter_page_copies) + " of " +
                        std::to_string(sizeof(ParameterPage)) + " bytes");
  }
}

NandCommand CommandRules::traced(const Trace& trace) {
  NandCommand command;
  std::memcpy(static_cast<void*>(&command), trace.data(), trace.size());
  return command;
}

void CommandRules::refuse(const NandCommand& command, const std::string& reason) const {
  std::string text = name_ + ": " + to_string(command) + ": " + reason + "\n  before it:";
  const std::size_t known = std::min(history_length_, history_.size());
  if (known == 0) text += " nothing";
  for (std::size_t k = history_length_ - known; k < history_length_; ++k) {
    text += "\n    " + to_string(traced(history_[k % history_.size()]));
  }
  throw ProtocolError(text);
}

}  // namespace nandscape::nand

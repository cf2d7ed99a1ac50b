// SPDX-License-Identifier: Apache-2.0
// The state of the blocks of a die: the number of programmed pages of each block and its program mode, the pages that
// remain in wordlines after a voltage adjustment, and the torn pages. The cells of a torn page are in an intermediate
// state: they hold neither the new data nor the old. Block numbers count the blocks of all planes of the die.
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <unordered_map>
#include <vector>

#include "core/archive.h"
#include "core/id_vector.h"
#include "core/ids.h"
#include "protocol/nand_command.h"

namespace nandscape::nand {

class BlockStates {
 public:
  BlockStates(std::uint32_t blocks, std::uint32_t pages_per_block, std::uint32_t bits_per_cell);

  // Returns the page that will be programmed next. This is also the number of programmed pages.
  std::uint32_t next_page(BlockInDie block) const { return states_[block].next_page; }
  ProgramMode mode(BlockInDie block) const { return slc(block) ? ProgramMode::slc : ProgramMode::native; }
  bool slc(BlockInDie block) const { return states_[block].mode == Mode::slc; }
  // Returns true if an erase of the block failed or was interrupted. The block must then be erased before it is used
  // again.
  bool spoiled(BlockInDie block) const { return states_[block].mode == Mode::spoiled; }
  // Returns the number of pages of a block in the given mode. In SLC mode, each wordline holds one page.
  std::uint32_t pages(ProgramMode mode) const {
    return mode == ProgramMode::slc ? pages_per_block_ / bits_per_cell_ : pages_per_block_;
  }
  // Returns true if all blocks are in native mode and no wordline has been adjusted. In this case, the number of a page
  // is sufficient to compute its wordline and its type.
  bool ordinary() const { return ordinary_; }

  // Returns true if, in addition, no page is torn and no block is spoiled.
  bool plain() const { return plain_; }

  // Marks the first `pages` pages of the block as programmed before the simulation began.
  void precondition(BlockInDie block, std::uint32_t pages) {
    states_[block].next_page = initial_pages_[block] = static_cast<std::uint16_t>(pages);
  }
  // Returns the number of pages, beginning with page 0, that still have their content from before the simulation.
  std::uint32_t initial_pages(BlockInDie block) const { return initial_pages_[block]; }
  // Marks the next page of the block as programmed. The mode of page 0 becomes the mode of the block.
  void program(BlockInDie block, ProgramMode mode);
  // --- cells that are programmed in two passes
  //
  // A page is torn from the begin of its first pass to the end of the second pass of its wordline.

  // Returns the page of the block whose second pass is next, if the second pass of a wordline has begun.
  std::optional<std::uint32_t> next_of_second_pass(BlockInDie block) const;
  // Marks the page as sent again in the second pass of its wordline. With the last page, the second pass is complete.
  void program_again(BlockInDie block, std::uint32_t page);
  // Forgets the pages that have been sent in the second pass of a wordline, from `page` on, if it is incomplete.
  void roll_back_second_pass(BlockInDie block, std::uint32_t page);

  // Undoes the programs of `page` and of all later pages of the block.
  void roll_back(BlockInDie block, std::uint32_t page);
  void erase(BlockInDie block) { empty(block, Mode::native); }
  void spoil(BlockInDie block) { empty(block, Mode::spoiled); }

  // The pages of one wordline, from `first` to `end` - 1.
  struct WordlinePages {
    std::uint32_t first;
    std::uint32_t end;
  };
  WordlinePages wordline_of(BlockInDie block, std::uint32_t page) const {
    if (slc(block)) return {page, page + 1};
    const std::uint32_t first = page - page % bits_per_cell_;
    return {first, std::min(first + bits_per_cell_, pages_per_block_)};
  }
  // Returns true if the page is erased: it has not been programmed, and its block is not spoiled.
  bool erased(BlockInDie block, std::uint32_t page) const { return page >= next_page(block) && !spoiled(block); }

  // Returns true if the die has any torn page or any spoiled block.
  bool damaged() const { return spoiled_blocks_ != 0 || !torn_.empty(); }
  [[nodiscard]] bool torn(BlockInDie block, std::uint32_t page) const;
  void tear(BlockInDie block, WordlinePages pages);
  // Makes pages readable that were torn.
  void mend(BlockInDie block, WordlinePages pages);

  // Returns true if any wordline of the block has been adjusted since the block was erased.
  bool adjusted(BlockInDie block) const { return !adjusted_.empty() && adjusted_.contains(block); }
  // Returns the pages that the latest adjustment of the wordline has kept: bit p is set if the page of type p was kept.
  // The other pages are torn. Returns nullopt if the wordline has not been adjusted.
  std::optional<std::uint8_t> adjusted(BlockInDie block, std::uint32_t wordline) const;
  void adjust(BlockInDie block, std::uint32_t wordline, std::uint8_t valid_pages);

  void persist(Archive& archive);

 private:
  enum class Mode : std::uint8_t { native, slc, spoiled };
  struct State {
    std::uint16_t next_page = 0;
    Mode mode = Mode::native;
  };

  void empty(BlockInDie block, Mode mode);
  // Sets `ordinary_` and `plain_`. Called after each change on which they depend.
  void update_plain();

  IdVector<BlockInDie, State> states_;
  bool ordinary_ = true;
  bool plain_ = true;
  std::uint32_t slc_blocks_ = 0;
  std::uint32_t spoiled_blocks_ = 0;
  std::uint32_t pages_per_block_;
  std::uint32_t bits_per_cell_;
  IdVector<BlockInDie, std::uint16_t> initial_pages_;
  // The pages that adjustments have kept, indexed by block and wordline. The mask is 0 if the wordline has not been
  // adjusted.
  std::unordered_map<BlockInDie, std::vector<std::uint8_t>> adjusted_;
  std::unordered_map<BlockInDie, std::vector<bool>> torn_;  // for each block, a flag for each page
  // The next page of the second pass, for blocks in which a wordline has had some pages of its second pass.
  std::unordered_map<BlockInDie, std::uint32_t> second_passes_;
};

}  // namespace nandscape::nand

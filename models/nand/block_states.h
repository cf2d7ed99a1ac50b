// SPDX-License-Identifier: Apache-2.0
// The state of a die's blocks: how many pages are programmed and in which mode, which wordlines a voltage adjustment
// has left with only some of their pages, and which pages are torn. The cells of a torn page were left half-way: they
// hold neither the new data nor the old. Blocks are numbered over the planes of the die.
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

  // The page that is programmed next; equals the number of programmed pages.
  std::uint32_t next_page(BlockInDie block) const { return next_page_[block]; }
  ProgramMode mode(BlockInDie block) const { return slc(block) ? ProgramMode::slc : ProgramMode::native; }
  bool slc(BlockInDie block) const { return modes_[block] == Mode::slc; }
  // Whether an erase failed or was interrupted; if so, the block must be erased before it is used again.
  bool spoiled(BlockInDie block) const { return modes_[block] == Mode::spoiled; }
  // Pages of a block in that mode; in SLC mode each wordline holds one.
  std::uint32_t pages(ProgramMode mode) const {
    return mode == ProgramMode::slc ? pages_per_block_ / bits_per_cell_ : pages_per_block_;
  }
  // Whether all blocks are in native mode and no wordline has been adjusted. A page's number alone then gives its
  // wordline and type.
  bool ordinary() const { return slc_blocks_ == 0 && adjusted_.empty(); }

  // Declares the first `pages` pages as programmed before the simulation began.
  void precondition(BlockInDie block, std::uint32_t pages) {
    next_page_[block] = initial_pages_[block] = static_cast<std::uint16_t>(pages);
  }
  // Number of pages, from page 0 onward, that still hold their content from before the simulation.
  std::uint32_t initial_pages(BlockInDie block) const { return initial_pages_[block]; }
  // Marks the next page of the block as programmed. The mode of page 0 becomes the mode of the block.
  void program(BlockInDie block, ProgramMode mode);
  // Takes back the programs of `page` and all later pages of the block.
  void roll_back(BlockInDie block, std::uint32_t page);
  void erase(BlockInDie block) { empty(block, Mode::native); }
  void spoil(BlockInDie block) { empty(block, Mode::spoiled); }

  // The pages [first, end) of one wordline.
  struct WordlinePages {
    std::uint32_t first;
    std::uint32_t end;
  };
  WordlinePages wordline_of(BlockInDie block, std::uint32_t page) const {
    if (slc(block)) return {page, page + 1};
    const std::uint32_t first = page - page % bits_per_cell_;
    return {first, std::min(first + bits_per_cell_, pages_per_block_)};
  }
  // Whether the page is not programmed and the block is not spoiled.
  bool erased(BlockInDie block, std::uint32_t page) const { return page >= next_page_[block] && !spoiled(block); }

  // Whether a page of the die is torn or a block is spoiled.
  bool damaged() const { return spoiled_blocks_ != 0 || !torn_.empty(); }
  [[nodiscard]] bool torn(BlockInDie block, std::uint32_t page) const;
  void tear(BlockInDie block, WordlinePages pages);

  // Whether a wordline of the block was adjusted since the block's erase.
  bool adjusted(BlockInDie block) const { return !adjusted_.empty() && adjusted_.contains(block); }
  // The pages that the latest adjustment of the wordline has kept, bit p for page type p; the others are torn. Returns
  // nullopt if the wordline was not adjusted.
  std::optional<std::uint8_t> adjusted(BlockInDie block, std::uint32_t wordline) const;
  void adjust(BlockInDie block, std::uint32_t wordline, std::uint8_t valid_pages);

  void persist(Archive& archive);

 private:
  enum class Mode : std::uint8_t { native, slc, spoiled };

  void empty(BlockInDie block, Mode mode);

  std::uint32_t pages_per_block_;
  std::uint32_t bits_per_cell_;
  IdVector<BlockInDie, std::uint16_t> next_page_;
  IdVector<BlockInDie, std::uint16_t> initial_pages_;
  IdVector<BlockInDie, Mode> modes_;
  std::uint32_t slc_blocks_ = 0;
  std::uint32_t spoiled_blocks_ = 0;
  // The pages that adjustments have kept, by block, then wordline; 0 if the wordline was not adjusted.
  std::unordered_map<BlockInDie, std::vector<std::uint8_t>> adjusted_;
  std::unordered_map<BlockInDie, std::vector<bool>> torn_;  // by block, then page
};

}  // namespace nandscape::nand

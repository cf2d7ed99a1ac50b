// SPDX-License-Identifier: Apache-2.0
#include "nand/block_states.h"

namespace nandscape {

BlockStates::BlockStates(std::uint32_t blocks, std::uint32_t pages_per_block, std::uint32_t bits_per_cell)
    : pages_per_block_(pages_per_block),
      bits_per_cell_(bits_per_cell),
      next_page_(blocks),
      initial_pages_(blocks),
      modes_(blocks) {}

void BlockStates::program(std::uint32_t block, ProgramMode mode) {
  if (next_page_[block]++ == 0 && mode == ProgramMode::slc) {
    modes_[block] = Mode::slc;
    ++slc_blocks_;
  }
}

void BlockStates::empty(std::uint32_t block, Mode mode) {
  if (slc(block)) --slc_blocks_;
  modes_[block] = mode;
  next_page_[block] = initial_pages_[block] = 0;
  if (adjusted_.empty()) return;
  for (std::uint32_t wordline = 0; wordline * bits_per_cell_ < pages_per_block_; ++wordline) {
    adjusted_.erase(wordline_index(block, wordline));
  }
}

std::optional<std::uint8_t> BlockStates::adjusted(std::uint32_t block, std::uint32_t wordline) const {
  const auto found = adjusted_.find(wordline_index(block, wordline));
  if (found == adjusted_.end()) return std::nullopt;
  return found->second;
}

void BlockStates::adjust(std::uint32_t block, std::uint32_t wordline, std::uint8_t valid_pages) {
  adjusted_[wordline_index(block, wordline)] = valid_pages;
}

}  // namespace nandscape

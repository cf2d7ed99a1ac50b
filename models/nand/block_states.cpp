// SPDX-License-Identifier: Apache-2.0
#include "nand/block_states.h"

namespace nandscape::nand {

BlockStates::BlockStates(std::uint32_t blocks, std::uint32_t pages_per_block, std::uint32_t bits_per_cell)
    : states_(blocks), pages_per_block_(pages_per_block), bits_per_cell_(bits_per_cell), initial_pages_(blocks) {}

void BlockStates::update_plain() {
  ordinary_ = slc_blocks_ == 0 && adjusted_.empty();
  plain_ = ordinary_ && !damaged();
}

void BlockStates::program(BlockInDie block, ProgramMode mode) {
  if (states_[block].next_page++ == 0 && mode == ProgramMode::slc) {
    states_[block].mode = Mode::slc;
    ++slc_blocks_;
    update_plain();
  }
}

std::optional<std::uint32_t> BlockStates::next_of_second_pass(BlockInDie block) const {
  const auto found = second_passes_.find(block);
  return found == second_passes_.end() ? std::nullopt : std::optional(found->second);
}

void BlockStates::program_again(BlockInDie block, std::uint32_t page) {
  if (page + 1 == wordline_of(block, page).end) {
    second_passes_.erase(block);
  } else {
    second_passes_[block] = page + 1;
  }
}

void BlockStates::roll_back_second_pass(BlockInDie block, std::uint32_t page) {
  if (page == wordline_of(block, page).first) {
    second_passes_.erase(block);
  } else {
    second_passes_[block] = page;
  }
}

void BlockStates::roll_back(BlockInDie block, std::uint32_t page) {
  if (const auto found = torn_.find(block); found != torn_.end()) {
    std::fill(found->second.begin() + page, found->second.begin() + next_page(block), false);
  }
  states_[block].next_page = static_cast<std::uint16_t>(page);
  initial_pages_[block] = std::min(initial_pages_[block], states_[block].next_page);
}

void BlockStates::empty(BlockInDie block, Mode mode) {
  if (slc(block)) --slc_blocks_;
  if (spoiled(block)) --spoiled_blocks_;
  if (mode == Mode::spoiled) ++spoiled_blocks_;
  states_[block] = {.next_page = 0, .mode = mode};
  initial_pages_[block] = 0;
  torn_.erase(block);
  second_passes_.erase(block);
  adjusted_.erase(block);
  update_plain();
}

bool BlockStates::torn(BlockInDie block, std::uint32_t page) const {
  if (spoiled(block)) return true;
  const auto found = torn_.find(block);
  return found != torn_.end() && found->second[page];
}

void BlockStates::tear(BlockInDie block, WordlinePages pages) {
  std::vector<bool>& torn = torn_[block];
  torn.resize(pages_per_block_);
  std::fill(torn.begin() + pages.first, torn.begin() + pages.end, true);
  update_plain();
}

void BlockStates::mend(BlockInDie block, WordlinePages pages) {
  const auto found = torn_.find(block);
  if (found == torn_.end()) return;
  std::fill(found->second.begin() + pages.first, found->second.begin() + pages.end, false);
  if (std::ranges::find(found->second, true) == found->second.end()) torn_.erase(found);
  update_plain();
}

std::optional<std::uint8_t> BlockStates::adjusted(BlockInDie block, std::uint32_t wordline) const {
  const auto found = adjusted_.find(block);
  if (found == adjusted_.end() || found->second[wordline] == 0) return std::nullopt;
  return found->second[wordline];
}

void BlockStates::adjust(BlockInDie block, std::uint32_t wordline, std::uint8_t valid_pages) {
  std::vector<std::uint8_t>& wordlines = adjusted_[block];
  wordlines.resize((pages_per_block_ + bits_per_cell_ - 1) / bits_per_cell_);
  wordlines[wordline] = valid_pages;
  const std::uint32_t first = wordline * bits_per_cell_;
  for (std::uint32_t type = 0; type < bits_per_cell_; ++type) {
    if ((valid_pages >> type & 1) == 0) tear(block, {first + type, first + type + 1});
  }
  update_plain();
}

void BlockStates::persist(Archive& archive) {
  archive.section("block states");
  archive.expect("blocks", states_.size());
  archive.expect("pages per block", pages_per_block_);
  archive.expect("bits per cell", bits_per_cell_);
  slc_blocks_ = spoiled_blocks_ = 0;
  for (const BlockInDie block : states_.places()) {
    State& state = states_[block];
    archive.enumeration(state.mode, Mode::spoiled, "the mode of a block");
    slc_blocks_ += slc(block);
    spoiled_blocks_ += spoiled(block);
    archive.number(state.next_page, spoiled(block) ? 0 : pages(mode(block)), "the next page of a block");
    const std::uint16_t most = std::min(initial_pages_[block], state.next_page);
    archive.number(initial_pages_[block], most, "the number of a block's pages from the start");
  }
  const std::uint32_t wordlines = (pages_per_block_ + bits_per_cell_ - 1) / bits_per_cell_;
  archive.map(adjusted_, states_.size(), "the block of adjusted wordlines", [&](std::vector<std::uint8_t>& of_block) {
    archive.table(of_block, wordlines, "pages that an adjustment has left", [&](std::uint8_t& valid_pages) {
      // A nonempty subset of the pages that does not contain all pages, or 0 if the wordline has not been adjusted.
      archive.index(valid_pages, (std::uint64_t{1} << bits_per_cell_) - 1, "the pages that an adjustment has left");
    });
  });
  archive.map(torn_, states_.size(), "the block of torn pages", [&](std::vector<bool>& pages) {
    archive.table(pages, pages_per_block_, "pages of a block that may be torn");
  });
  archive.map(second_passes_, states_.size(), "the block of a second pass", [&](std::uint32_t& page) {
    archive.number(page, pages_per_block_ - 1, "the next page of a second pass");
  });
  update_plain();
}

}  // namespace nandscape::nand

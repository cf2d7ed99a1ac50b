// SPDX-License-Identifier: Apache-2.0
// The effects of interrupted operations and of unsimulated time on the array, and its persisted state.
#include "nand/nand_array.h"

namespace nandscape::nand {

// Changes the state of the blocks as an interrupted operation leaves it. The page of an interrupted program still
// counts as programmed, because the die has begun to program it. CellArray is not called.
void NandArray::interrupt(const NandCommand& c) {
  const bool adjusts = c.operation == NandOperation::adjust_voltage;
  if (adjusts || (programs(c.operation) && completes_wordline(c))) tear_wordline(c);
  if (c.operation == NandOperation::erase) lose_block(block_index(c));
}

void NandArray::drop(const NandCommand& program) {
  const BlockInDie block = block_index(program);
  if (program.pass == ProgramPass::again) return blocks_.roll_back_second_pass(block, program.page);
  if (program.page == 0) return blocks_.erase(block);
  blocks_.roll_back(block, program.page);
}

void NandArray::lose_latches() {
  for (const BlockInDie block : Places<BlockInDie>(geometry_.blocks_per_die())) lose_latched_pages(block);
  registers_.power_cut();
}

void NandArray::lose_latched_pages(BlockInDie block) {
  const std::uint32_t next = blocks_.next_page(block);
  if (next == 0) return;
  if (const auto page = blocks_.next_of_second_pass(block)) [[unlikely]] {
    const std::uint32_t first_page = blocks_.wordline_of(block, *page).first;
    if (cells_ != nullptr) cells_->lose_latched_pages({block, first_page / timing_.bits_per_cell()});
    blocks_.roll_back_second_pass(block, first_page);
  }
  const auto [first, end] = blocks_.wordline_of(block, next - 1);
  if (next == end) return;
  if (cells_ != nullptr) cells_->lose_latched_pages({block, first / timing_.bits_per_cell()});
  if (store_ != nullptr) store_->erase(std::uint64_t{block.value} * geometry_.pages_per_block + first, next - first);
  if (tags_ != nullptr) tags_->erase(block, first, next);
  blocks_.roll_back(block, first);
}

void NandArray::advance(double hours, double temperature_c) {
  if (cells_ != nullptr) cells_->advance(hours, temperature_c);
}

void NandArray::persist(Archive& archive, Tick now) {
  archive.section("array");
  archive.expect("planes", geometry_.planes_per_die);
  archive.expect("bytes of a page", geometry_.page_bytes);
  archive.expect("stored data (0: none, 1: kept)", store_ != nullptr ? 1 : 0);
  archive.expect("tags (0: none, 1: kept)", tags_ != nullptr ? 1 : 0);
  archive.expect("cells (0: ideal, 1: with errors)", cells_ != nullptr ? 1 : 0);
  const std::uint64_t rows =
      std::uint64_t{geometry_.planes_per_die} * geometry_.blocks_per_plane * geometry_.pages_per_block;
  archive(counters_);
  registers_.persist(archive);
  blocks_.persist(archive);
  faults_.persist(archive);
  if (tags_ != nullptr) tags_->persist(archive);
  if (store_ != nullptr) store_->persist(archive, rows);
  if (cells_ != nullptr) cells_->persist(archive, now);
}

}  // namespace nandscape::nand

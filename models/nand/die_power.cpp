// SPDX-License-Identifier: Apache-2.0
// What lasts: power lost, time on the shelf, and the state of a die as bytes.
#include "core/error.h"
#include "nand/die.h"

namespace nandscape {

void Die::power_cut(Tick now) {
  forgo(now);
  if (state_ == State::busy) cut(active_);
  cut(suspended_);
  for (std::uint32_t block = 0; block < geometry_.planes_per_die * geometry_.blocks_per_plane; ++block) {
    lose_latched_pages(block);
  }
  active_.commands.clear();
  suspended_.commands.clear();
  aborted_.clear();
  cache_read_ = nullptr;
  state_ = State::idle;
  ready_ = 0;
  features_.power_on();
  copyback_ready_ = 0;
  for (PageRegister& page : registers_) page = {};
}

void Die::cut(const Operation& operation) {
  for (const NandCommand* c : operation.commands) {
    if (operation.kind == NandOperation::erase) lose_block(block_index(*c));
    const bool adjusts = operation.kind == NandOperation::adjust_voltage;
    if (adjusts || (programs(operation.kind) && completes_wordline(*c))) tear_wordline(*c);
  }
}

void Die::lose_latched_pages(std::uint32_t block) {
  const std::uint32_t next = blocks_.next_page(block);
  if (next == 0) return;
  const auto [first, end] = blocks_.wordline_of(block, next - 1);
  if (next == end) return;
  if (cells_ != nullptr) cells_->lose_latched_pages({block, first / timing_.bits_per_cell()});
  if (store_ != nullptr) store_->erase(std::uint64_t{block} * geometry_.pages_per_block + first, next - first);
  if (tags_ != nullptr) tags_->erase(block, first, next);
  blocks_.roll_back(block, first);
}

void Die::advance(double hours, double temperature_c) {
  if (cells_ != nullptr) cells_->advance(hours, temperature_c);
}

void Die::persist(Archive& archive, Tick now) {
  if (!idle() || ready_ > now)
    throw ProtocolError(name_ + ": its state is saved or read back while a command is under way");
  archive.section("die");
  archive.expect("planes", geometry_.planes_per_die);
  archive.expect("bytes of a page", geometry_.page_bytes);
  archive.expect("stored data (0: none, 1: kept)", store_ != nullptr ? 1 : 0);
  archive.expect("tags (0: none, 1: kept)", tags_ != nullptr ? 1 : 0);
  archive.expect("cells (0: ideal, 1: with errors)", cells_ != nullptr ? 1 : 0);
  ready_ = 0;
  const std::uint64_t rows =
      std::uint64_t{geometry_.planes_per_die} * geometry_.blocks_per_plane * geometry_.pages_per_block;
  archive.index(copyback_ready_, std::uint64_t{1} << geometry_.planes_per_die, "the mask of pages for copyback");
  for (std::uint32_t plane = 0; plane < registers_.size(); ++plane) {
    PageRegister& page = registers_[plane];
    archive.number(page.bit_errors, std::uint64_t{8} * geometry_.page_bytes, "the errors of a page for copyback");
    archive(page.torn, page.data, page.tag);
    const std::size_t bytes = (copyback_ready_ >> plane & 1) != 0 && store_ != nullptr ? store_->page_bytes() : 0;
    archive.require(page.data.size() >= bytes, "a page for copyback is too short");
  }
  archive(counters_);
  blocks_.persist(archive);
  features_.persist(archive);
  faults_.persist(archive);
  if (tags_ != nullptr) tags_->persist(archive);
  if (store_ != nullptr) store_->persist(archive, rows);
  if (cells_ != nullptr) cells_->persist(archive, now);
}

}  // namespace nandscape

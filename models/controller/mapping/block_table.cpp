// SPDX-License-Identifier: Apache-2.0
#include "controller/mapping/block_table.h"

#include <algorithm>
#include <bit>
#include <cstring>
#include <string>

#include "controller/mapping/page_tag.h"

namespace nandscape::controller {

namespace {

// More than any block bears.
constexpr std::uint32_t most_erases = 1u << 30;

}  // namespace

BlockTable::BlockTable(const Geometry& g, const InitialFill& initial, std::uint32_t units_per_page, StartUp start_up)
    : geometry_(g),
      units_per_page_(units_per_page),
      places_(g),
      initial_(initial),
      entry_bytes_((static_cast<unsigned>(std::bit_width(g.pages())) + 7) / 8),  // no more logical than physical pages
      entry_mask_(~std::uint64_t{0} >> (64 - 8 * entry_bytes_)),
      state_(g.blocks(), State::free),
      valid_(g.blocks()),
      next_page_(g.blocks()),
      pins_(g.blocks()),
      erases_(g.blocks()),
      streams_(g.blocks()),
      copies_(g.blocks()),
      next_free_(g.blocks()),
      planes_(g.planes()),
      records_(g.blocks()),
      filled_(g.blocks()),
      failing_(g.blocks()),
      frontier_marks_(g.blocks()) {
  for (std::uint32_t plane = 0; plane < g.planes(); ++plane) {
    planes_[plane].good = g.blocks_per_plane;
    const std::uint32_t used = initial.used_blocks(PlaneId(plane));
    for (std::uint32_t index = 0; index < g.blocks_per_plane; ++index) {
      const BlockId block = g.block(PlaneId(plane), index);
      if (start_up == StartUp::from_flash) {
        state_[block.value] = State::unknown;
        continue;
      }
      if (index >= used) {
        push_free(block);
        continue;
      }
      state_[block.value] = State::full;
      valid_[block.value] = initial.valid_pages(block);
      planes_[plane].valid += valid_[block.value];
      next_page_[block.value] = g.pages_per_block;
      filled_[block.value] = true;
      frontier_marks_[block.value] = initial.patterned(block);
    }
  }
}

std::uint64_t BlockTable::good_blocks() const {
  std::uint64_t good = 0;
  for (const PlaneBlocks& plane : planes_) good += plane.good;
  return good;
}

void BlockTable::push_free(BlockId block) {
  PlaneBlocks& plane = planes_[places_.plane_of(block).value];
  next_free_[block.value] = BlockId();
  ++free_;
  if (plane.free++ == 0) {
    plane.first_free = block;
  } else {
    next_free_[plane.last_free.value] = block;
  }
  plane.last_free = block;
}

BlockId BlockTable::take_free(PlaneId id, FreeBlockOrder order, std::uint8_t stream) {
  PlaneBlocks& plane = planes_[id.value];
  if (plane.free == 0) return BlockId();
  // Once per block, and few are free as soon as a device is in use: looking at all of them costs little.
  BlockId before, chosen = plane.first_free;
  if (order != FreeBlockOrder::fifo) {
    const auto better = [&](std::uint32_t erases, std::uint32_t than) {
      return order == FreeBlockOrder::least_worn ? erases < than : erases > than;
    };
    for (BlockId last = chosen, block = next_free_[last.value]; block.valid();
         last = block, block = next_free_[block.value]) {
      if (!better(erases_[block.value], erases_[chosen.value])) continue;
      before = last;
      chosen = block;
    }
  }
  (before.valid() ? next_free_[before.value] : plane.first_free) = next_free_[chosen.value];
  if (plane.last_free == chosen) plane.last_free = before;
  --plane.free;
  --free_;
  set_state(chosen, State::open);
  streams_[chosen.value] = stream;
  return chosen;
}

Ppn BlockTable::append(BlockId block, Tick now, std::uint32_t pages) {
  if (last_written_.empty()) last_written_.resize(state_.size());
  last_written_[block.value] = now;
  const Ppn ppn = geometry_.page(block, next_page_[block.value]);
  next_page_[block.value] += pages;
  if (next_page_[block.value] == geometry_.pages_per_block) set_state(block, State::full);
  return ppn;
}

void BlockTable::close(BlockId block) {
  next_page_[block.value] = geometry_.pages_per_block;
  set_state(block, State::full);
}

void BlockTable::set_state(BlockId block, State state) {
  State& of = state_[block.value];
  if (of == State::journal || state == State::journal) {
    std::uint32_t& journal = planes_[places_.plane_of(block).value].journal;
    journal += (state == State::journal) - (of == State::journal);
  }
  of = state;
}

void BlockTable::set_failing(BlockId block) {
  failing_[block.value] = true;
  if (state_[block.value] == State::open) close(block);
}

void BlockTable::hold(Ppn ppn, Lpn lpn) {
  const BlockId block = places_.block_of(ppn);
  ++valid_[block.value];
  ++planes_[places_.plane_of(block).value].valid;
  store(ppn, lpn.value + 1);
}

void BlockTable::invalidate(Ppn ppn) {
  const BlockId block = places_.block_of(ppn);
  --valid_[block.value];
  --planes_[places_.plane_of(block).value].valid;
  if (!filled_[block.value]) {
    store(ppn, 0);
    return;
  }
  auto& bits = records_[block.value];
  if (bits == nullptr) bits = std::make_unique<std::uint8_t[]>(record_bytes(block));
  const std::uint32_t page = places_.page_in_block(ppn);
  bits[page / 8] |= static_cast<std::uint8_t>(1U << (page % 8));
}

void BlockTable::hold_again(Ppn ppn, Lpn lpn) {
  const BlockId block = places_.block_of(ppn);
  if (!filled_[block.value]) {
    hold(ppn, lpn);
    return;
  }
  ++valid_[block.value];
  ++planes_[places_.plane_of(block).value].valid;
  const std::uint32_t page = places_.page_in_block(ppn);
  records_[block.value][page / 8] &= static_cast<std::uint8_t>(~(1U << (page % 8)));
}

void BlockTable::invalidate_all() {
  std::ranges::fill(valid_, 0);
  for (PlaneBlocks& plane : planes_) plane.valid = 0;
  for (auto& record : records_) record.reset();
  filled_.assign(filled_.size(), false);
}

Lpn BlockTable::held_by(Ppn ppn) const {
  const BlockId block = places_.block_of(ppn);
  const auto& record = records_[block.value];
  if (filled_[block.value]) {
    const std::uint32_t page = places_.page_in_block(ppn);
    const bool invalidated = record != nullptr && (record[page / 8] >> (page % 8) & 1) != 0;
    return invalidated ? Lpn() : initial_.lpn_at(ppn);
  }
  if (record == nullptr) return Lpn();
  const std::uint64_t entry = load(ppn);
  return entry == 0 ? Lpn() : Lpn(entry - 1);
}

void BlockTable::forget(BlockId block) {
  valid_[block.value] = 0;
  next_page_[block.value] = 0;
  copies_[block.value] = 0;
  filled_[block.value] = false;
  frontier_marks_[block.value] = false;
  records_[block.value].reset();
}

void BlockTable::erased(BlockId block) {
  ++erases_[block.value];
  forget(block);
  set_state(block, State::free);
  push_free(block);
}

void BlockTable::found_erased(BlockId block, bool known_otherwise) {
  erases_[block.value] += known_otherwise;
  forget(block);
  set_state(block, State::free);
  push_free(block);
}

void BlockTable::found_programmed(BlockId block, std::uint32_t pages) {
  next_page_[block.value] = pages;
  set_state(block, State::full);
}

void BlockTable::forget_free() {
  for (PlaneBlocks& plane : planes_) plane.free = 0;
  free_ = 0;
}

void BlockTable::found_changed(BlockId block) {
  copies_[block.value] = 0;
  frontier_marks_[block.value] = false;
  if (!filled_[block.value]) return;
  const Ppn first = geometry_.page(block, 0);
  std::vector<Lpn> held(geometry_.pages_per_block);
  for (std::uint32_t page = 0; page < held.size(); ++page) held[page] = held_by(Ppn(first.value + page));
  records_[block.value].reset();
  filled_[block.value] = false;
  for (std::uint32_t page = 0; page < held.size(); ++page) {
    if (held[page].valid()) store(Ppn(first.value + page), held[page].value + 1);
  }
}

void BlockTable::found_stamp(BlockId block, std::uint32_t stamp) {
  std::uint32_t& erases = erases_[block.value];
  erases += (stamp + stamps - stamp_of(erases)) % stamps;
}

void BlockTable::reopen(BlockId block, std::uint32_t programmed_pages, std::uint8_t stream) {
  next_page_[block.value] = programmed_pages;
  set_state(block, State::open);
  streams_[block.value] = stream;
}

void BlockTable::retire(BlockId block) {
  forget(block);
  set_state(block, State::retired);
  --planes_[places_.plane_of(block).value].good;
}

// Room behind the last entry lets every entry be loaded as a whole word.
std::size_t BlockTable::record_bytes(BlockId block) const {
  if (filled_[block.value]) return (geometry_.pages_per_block + 7) / 8;
  return std::size_t{geometry_.pages_per_block} * entry_bytes_ + sizeof(std::uint64_t);
}

void BlockTable::persist(Archive& archive) {
  archive.section("block table");
  archive.expect("blocks", state_.size());
  archive.expect("pages of a block", geometry_.pages_per_block);
  archive.expect("bytes of an entry", entry_bytes_);
  for (std::uint32_t k = 0; k < state_.size(); ++k) persist(archive, BlockId(k));
  archive(last_written_);
  archive.require(last_written_.empty() || last_written_.size() == state_.size(), "the table has a part of the times");
  for (std::uint32_t plane = 0; plane < planes_.size(); ++plane) persist(archive, PlaneId(plane));
}

void BlockTable::persist(Archive& archive, BlockId block) {
  const std::uint32_t k = block.value;
  const auto require = [&](bool holds, const char* what) {
    if (!holds) archive.refuse("block " + std::to_string(k) + " " + what);
  };
  const bool initial = filled_[k];
  archive.enumeration(state_[k], State::retired, "the state of a block");
  archive.number(next_page_[k], geometry_.pages_per_block, "the next page of a block");
  archive.number(erases_[k], most_erases, "the erases of a block");
  archive(streams_[k], copies_[k]);
  bool filled = filled_[k], failing = failing_[k], marked = frontier_marks_[k];
  archive(filled, failing, marked);
  filled_[k] = filled;
  failing_[k] = failing;
  frontier_marks_[k] = marked;
  archive.array_or_none(records_[k], record_bytes(block));
  if (!archive.loading()) return;

  require(state_[k] != State::victim && state_[k] != State::erasing && state_[k] != State::unknown,
          "is at work, which it cannot be in a drive at rest");
  require(initial || !filled, "is said to hold what the drive was filled with, and was empty");
  require(!filled || state_[k] == State::full, "is said to hold what the drive was filled with, and is not full");
  require(state_[k] != State::free || (next_page_[k] == 0 && !failing), "is free, and written or failing");
  require(state_[k] != State::open || (next_page_[k] < geometry_.pages_per_block && !failing),
          "is open, and full or failing");
  require(next_page_[k] % units_per_page_ == 0, "ends within a page");
  valid_[k] = count_valid(block);
  require(valid_[k] == 0 || state_[k] == State::open || state_[k] == State::full, "holds data, and is not in use");
}

std::uint32_t BlockTable::count_valid(BlockId block) const {
  if (records_[block.value] == nullptr) return filled_[block.value] ? initial_.valid_pages(block) : 0;
  std::uint32_t valid = 0;
  for (std::uint32_t page = 0; page < geometry_.pages_per_block; ++page) {
    valid += held_by(geometry_.page(block, page)).valid();
  }
  return valid;
}

// The free blocks, in the order in which they will be taken; all else follows from the blocks.
void BlockTable::persist(Archive& archive, PlaneId id) {
  PlaneBlocks& plane = planes_[id.value];
  std::vector<BlockId> free;
  for (BlockId block = plane.first_free; free.size() < plane.free; block = next_free_[block.value]) {
    free.push_back(block);
  }
  archive.list(free, geometry_.blocks_per_plane, "free blocks of a plane",
               [&](BlockId& block) { archive.index(block, state_.size(), "a free block"); });
  if (!archive.loading()) return;
  free_ -= plane.free;
  plane = {};
  std::uint32_t left = 0;
  for (std::uint32_t index = 0; index < geometry_.blocks_per_plane; ++index) {
    const BlockId block = geometry_.block(id, index);
    plane.good += state_[block.value] != State::retired;
    plane.journal += state_[block.value] == State::journal;
    plane.valid += valid_[block.value];
    left += state_[block.value] == State::free;
  }
  archive.require(free.size() == left, "the free blocks of a plane are not those that are in the state free");
  std::vector<bool> seen(geometry_.blocks_per_plane);
  for (const BlockId block : free) {
    const bool fits = places_.plane_of(block) == id && state_[block.value] == State::free &&
                      !seen[block.value % geometry_.blocks_per_plane];
    archive.require(fits, "the free blocks of a plane are not those that are in the state free");
    seen[block.value % geometry_.blocks_per_plane] = true;
    push_free(block);
  }
}

std::uint64_t BlockTable::load(Ppn ppn) const {
  std::uint64_t entry;
  std::memcpy(&entry, &records_[places_.block_of(ppn).value][entry_offset(ppn)], sizeof entry);
  return entry & entry_mask_;
}

void BlockTable::store(Ppn ppn, std::uint64_t entry) {
  const BlockId block = places_.block_of(ppn);
  auto& record = records_[block.value];
  if (record == nullptr) record = std::make_unique<std::uint8_t[]>(record_bytes(block));
  std::memcpy(&record[entry_offset(ppn)], &entry, entry_bytes_);
}

}  // namespace nandscape::controller

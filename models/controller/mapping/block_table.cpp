// SPDX-License-Identifier: Apache-2.0
#include "controller/mapping/block_table.h"

#include <bit>
#include <cstring>

namespace nandscape {

BlockTable::BlockTable(const Geometry& g, const InitialFill& initial)
    : geometry_(g),
      places_(g),
      initial_(initial),
      entry_bytes_((static_cast<unsigned>(std::bit_width(g.pages())) + 7) / 8),  // no more logical than physical pages
      entry_mask_(~std::uint64_t{0} >> (64 - 8 * entry_bytes_)),
      state_(g.blocks(), State::free),
      valid_(g.blocks()),
      next_page_(g.blocks()),
      pins_(g.blocks()),
      erases_(g.blocks()),
      next_free_(g.blocks()),
      free_(g.planes()),
      records_(g.blocks()),
      filled_(g.blocks()) {
  for (std::uint32_t plane = 0; plane < g.planes(); ++plane) {
    const std::uint32_t used = initial.used_blocks(PlaneId(plane));
    for (std::uint32_t index = 0; index < g.blocks_per_plane; ++index) {
      const BlockId block = g.block(PlaneId(plane), index);
      if (index >= used) {
        push_free(block);
        continue;
      }
      state_[block.value] = State::full;
      valid_[block.value] = static_cast<std::uint16_t>(initial.valid_pages(block));
      next_page_[block.value] = static_cast<std::uint16_t>(g.pages_per_block);
      filled_[block.value] = true;
    }
  }
}

void BlockTable::push_free(BlockId block) {
  FreeList& list = free_[geometry_.plane_of(block).value];
  next_free_[block.value] = BlockId();
  if (list.count++ == 0) {
    list.first = block;
  } else {
    next_free_[list.last.value] = block;
  }
  list.last = block;
}

BlockId BlockTable::take_free(PlaneId plane) {
  FreeList& list = free_[plane.value];
  if (list.count == 0) return BlockId();
  const BlockId block = list.first;
  list.first = next_free_[block.value];
  --list.count;
  state_[block.value] = State::open;
  return block;
}

Ppn BlockTable::append(BlockId block) {
  const Ppn ppn = geometry_.page(block, next_page_[block.value]++);
  if (next_page_[block.value] == geometry_.pages_per_block) state_[block.value] = State::full;
  return ppn;
}

void BlockTable::hold(Ppn ppn, Lpn lpn) {
  ++valid_[places_.block_of(ppn).value];
  store(ppn, lpn.value + 1);
}

void BlockTable::invalidate(Ppn ppn) {
  const BlockId block = places_.block_of(ppn);
  --valid_[block.value];
  if (!filled_[block.value]) {
    store(ppn, 0);
    return;
  }
  auto& bits = records_[block.value];
  if (bits == nullptr) bits = std::make_unique<std::uint8_t[]>((geometry_.pages_per_block + 7) / 8);
  const std::uint32_t page = places_.page_in_block(ppn);
  bits[page / 8] |= static_cast<std::uint8_t>(1U << (page % 8));
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

void BlockTable::erased(BlockId block) {
  ++erases_[block.value];
  valid_[block.value] = 0;
  next_page_[block.value] = 0;
  filled_[block.value] = false;
  records_[block.value].reset();
  state_[block.value] = State::free;
  push_free(block);
}

std::uint64_t BlockTable::load(Ppn ppn) const {
  std::uint64_t entry;
  std::memcpy(&entry, &records_[places_.block_of(ppn).value][entry_offset(ppn)], sizeof entry);
  return entry & entry_mask_;
}

void BlockTable::store(Ppn ppn, std::uint64_t entry) {
  auto& record = records_[places_.block_of(ppn).value];
  if (record == nullptr) {
    // Room behind the last entry lets every entry be loaded as a whole word.
    record = std::make_unique<std::uint8_t[]>(std::size_t{geometry_.pages_per_block} * entry_bytes_ + sizeof entry);
  }
  std::memcpy(&record[entry_offset(ppn)], &entry, entry_bytes_);
}

}  // namespace nandscape

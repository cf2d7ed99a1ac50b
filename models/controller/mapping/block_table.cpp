// SPDX-License-Identifier: Apache-2.0
#include "controller/mapping/block_table.h"

#include <algorithm>
#include <string>

#include "controller/mapping/page_tag.h"

namespace nandscape::controller {

namespace {

// More erases than any block endures.
constexpr std::uint32_t most_erases = 1u << 30;

}  // namespace

BlockTable::BlockTable(const FtlGeometry& g, const InitialFill& initial, const BlockShapes& shapes, StartUp start_up)
    : geometry_(g),
      shapes_(shapes),
      initial_(initial),
      blocks_(g.blocks()),
      planes_(g.planes()),
      held_(g.units(), g.units()),  // no more logical than physical pages
      bit_bytes_((g.units_per_block() + 7) / 8),
      invalidated_(std::uint64_t{g.blocks()} * bit_bytes_, 0xff) {
  for (const FtlPlane plane : g.every_plane()) {
    planes_[plane].good = g.blocks_per_plane();
    planes_[plane].full = LeastValidIndex(g.blocks_per_plane());
    const std::uint32_t full = initial.full_blocks(plane), used = initial.used_blocks(plane);
    for (std::uint32_t index = 0; index < g.blocks_per_plane(); ++index) {
      const Superblock block = g.block(plane, index);
      if (start_up == StartUp::from_flash) {
        blocks_[block].state = State::unknown;
        taken_units_ += taken(block);
        continue;
      }
      if (index >= used) {
        push_free(block);
        continue;
      }
      blocks_[block].state = index < full ? State::full : State::open;
      blocks_[block].stream = static_cast<std::uint8_t>(index < full ? 0 : index - full);
      blocks_[block].valid = initial.valid_pages(block);
      planes_[plane].valid += blocks_[block].valid;
      blocks_[block].next_page = initial.programmed_pages(block);
      taken_units_ += taken(block);
      blocks_[block].filled = true;
      blocks_[block].frontier_mark = initial.patterned(block);
      if (index < full) index_full(block);
    }
  }
}

std::uint64_t BlockTable::good_blocks() const {
  std::uint64_t good = 0;
  for (const PlaneBlocks& plane : planes_) good += plane.good;
  return good;
}

void BlockTable::push_free(Superblock block) {
  PlaneBlocks& plane = planes_[geometry_.plane_of(block)];
  blocks_[block].next_free = Superblock();
  ++free_;
  spare_free_ += plane.free >= kept_free;
  if (plane.free++ == 0) {
    plane.first_free = block;
  } else {
    blocks_[plane.last_free].next_free = block;
  }
  plane.last_free = block;
}

Superblock BlockTable::take_free(FtlPlane id, FreeBlockOrder order, std::uint8_t stream) {
  PlaneBlocks& plane = planes_[id];
  if (plane.free == 0) return Superblock();
  // Examining all free blocks costs little, because it happens only once per block and a drive in use has few free
  // blocks.
  Superblock before, chosen = plane.first_free;
  if (order != FreeBlockOrder::fifo) {
    const auto better = [&](std::uint32_t erases, std::uint32_t than) {
      return order == FreeBlockOrder::least_worn ? erases < than : erases > than;
    };
    for (Superblock last = chosen, block = blocks_[last].next_free; block.valid();
         last = block, block = blocks_[block].next_free) {
      if (!better(blocks_[block].erases, blocks_[chosen].erases)) continue;
      before = last;
      chosen = block;
    }
  }
  (before.valid() ? blocks_[before].next_free : plane.first_free) = blocks_[chosen].next_free;
  if (plane.last_free == chosen) plane.last_free = before;
  --plane.free;
  --free_;
  spare_free_ -= plane.free >= kept_free;
  set_state(chosen, State::open);
  blocks_[chosen].stream = stream;
  return chosen;
}

Ppa BlockTable::append(Superblock block, Tick now, std::uint32_t pages) {
  Block& to = blocks_[block];
  to.last_written = now;
  if (to.filled) [[unlikely]]
    list_pages(block);
  const Ppa ppa = geometry_.unit(block, to.next_page);
  to.next_page += pages;
  taken_units_ += pages;
  if (to.next_page == shape(block).units()) set_state(block, State::full);
  return ppa;
}

void BlockTable::close(Superblock block) {
  set_state(block, State::full);
  blocks_[block].next_page = shape(block).units();
}

std::uint32_t BlockTable::taken(Superblock block) const {
  switch (blocks_[block].state) {
    case State::free:
    case State::retired: return 0;
    case State::open: return blocks_[block].next_page;
    default: return shape(block).units();
  }
}

void BlockTable::set_write_mode(Superblock block, std::uint8_t mode) {
  taken_units_ -= taken(block);
  blocks_[block].write_mode = mode;
  taken_units_ += taken(block);
}

void BlockTable::set_state(Superblock block, State state) {
  const State before = blocks_[block].state;
  if (before == State::journal || state == State::journal) {
    std::uint32_t& journal = planes_[geometry_.plane_of(block)].journal;
    journal += (state == State::journal) - (before == State::journal);
  }
  taken_units_ -= taken(block);
  blocks_[block].state = state;
  taken_units_ += taken(block);
  if (state == State::full) index_full(block);
}

Superblock BlockTable::emptiest(FtlPlane plane) const {
  const std::uint32_t found = planes_[plane].full.find([&](std::uint32_t index) {
    const Superblock block = geometry_.block(plane, index);
    LeastValidIndex::Block now;
    if (blocks_[block].state != State::full || !gains_page(block)) return now;
    now.listed = blocks_[block].valid;
    if (!pinned(block)) now.eligible = blocks_[block].valid;
    return now;
  });
  return found == LeastValidIndex::none ? Superblock() : geometry_.block(plane, found);
}

void BlockTable::set_failing(Superblock block) {
  blocks_[block].failing = true;
  if (blocks_[block].state == State::open) close(block);
}

void BlockTable::hold(Ppa ppa, Lpn lpn) {
  const Superblock block = geometry_.block_of(ppa);
  ++blocks_[block].valid;
  ++planes_[geometry_.plane_of(block)].valid;
  held_.set(ppa.value, lpn.value + 1);
}

void BlockTable::invalidate(Ppa ppa) {
  const Superblock block = geometry_.block_of(ppa);
  Block& from = blocks_[block];
  --from.valid;
  PlaneBlocks& plane = planes_[geometry_.plane_of(block)];
  --plane.valid;
  if (from.state == State::full) plane.full.lower(geometry_.block_in_plane(block), from.valid);
  if (!from.filled) return held_.set(ppa.value, 0);
  const std::uint32_t page = geometry_.unit_in_block(ppa);
  const std::uint64_t byte = byte_of(block, page);
  invalidated_.set(byte, invalidated_[byte] | 1U << (page % 8));
}

void BlockTable::hold_again(Ppa ppa, Lpn lpn) {
  const Superblock block = geometry_.block_of(ppa);
  if (!blocks_[block].filled) return hold(ppa, lpn);
  ++blocks_[block].valid;
  ++planes_[geometry_.plane_of(block)].valid;
  const std::uint32_t page = geometry_.unit_in_block(ppa);
  const std::uint64_t byte = byte_of(block, page);
  invalidated_.set(byte, invalidated_[byte] & ~(1U << (page % 8)));
}

void BlockTable::invalidate_all() {
  for (PlaneBlocks& plane : planes_) plane.valid = 0;
  held_.clear();
  for (const Superblock block : geometry_.every_block()) {
    blocks_[block].valid = 0;
    blocks_[block].filled = false;
    if (blocks_[block].state == State::full) index_full(block);
  }
}

Lpn BlockTable::held_by(Ppa ppa) const {
  if (blocks_[geometry_.block_of(ppa)].filled) return invalidated(ppa) ? Lpn() : initial_.lpn_at(ppa);
  const std::uint64_t held = held_[ppa.value];
  return held == 0 ? Lpn() : Lpn(held - 1);
}

bool BlockTable::still_holds(Ppa ppa) const {
  return blocks_[geometry_.block_of(ppa)].filled ? !invalidated(ppa) : held_[ppa.value] != 0;
}

void BlockTable::forget(Superblock block) {
  Block& of = blocks_[block];
  if (of.valid != 0 && !of.filled) held_.clear(geometry_.unit(block, 0).value, geometry_.units_per_block());
  of.valid = 0;
  of.next_page = 0;
  of.copies = 0;
  of.filled = false;
  of.frontier_mark = false;
  of.renewed = false;
  of.write_mode = 0;
}

void BlockTable::erased(Superblock block) {
  ++blocks_[block].erases;
  set_state(block, State::free);
  forget(block);
  push_free(block);
}

void BlockTable::found_erased(Superblock block, bool known_otherwise) {
  blocks_[block].erases += known_otherwise;
  set_state(block, State::free);
  forget(block);
  push_free(block);
}

void BlockTable::found_programmed(Superblock block, std::uint32_t pages) {
  set_state(block, State::full);
  blocks_[block].next_page = pages;
}

void BlockTable::forget_free() {
  for (PlaneBlocks& plane : planes_) plane.free = 0;
  free_ = spare_free_ = 0;
}

void BlockTable::found_changed(Superblock block) {
  blocks_[block].copies = 0;
  blocks_[block].frontier_mark = false;
  blocks_[block].renewed = false;
  set_write_mode(block, 0);
  if (blocks_[block].filled) list_pages(block);
}

void BlockTable::list_pages(Superblock block) {
  for (std::uint32_t page = 0; page < geometry_.units_per_block(); ++page) {
    const Ppa place = geometry_.unit(block, page);
    if (const Lpn lpn = held_by(place); lpn.valid()) held_.set(place.value, lpn.value + 1);
  }
  blocks_[block].filled = false;
}

void BlockTable::found_stamp(Superblock block, std::uint32_t stamp) {
  std::uint32_t& erases = blocks_[block].erases;
  erases += (stamp + stamps - stamp_of(erases)) % stamps;
}

void BlockTable::reopen(Superblock block, std::uint32_t programmed_pages, std::uint8_t stream) {
  blocks_[block].next_page = programmed_pages;
  set_state(block, State::open);
  blocks_[block].stream = stream;
}

void BlockTable::retire(Superblock block) {
  set_state(block, State::retired);
  forget(block);
  --planes_[geometry_.plane_of(block)].good;
}

void BlockTable::persist(Archive& archive) {
  archive.section("block table");
  archive.expect("blocks", blocks_.size());
  archive.expect("pages of a block", geometry_.units_per_block());
  archive.expect("bytes of an entry", held_.bytes_each());
  if (archive.loading()) {
    held_.clear();
    invalidated_.clear();
  }
  for (const Superblock block : blocks_.places()) persist(archive, block);
  if (archive.loading()) {
    taken_units_ = 0;
    for (const Superblock block : blocks_.places()) taken_units_ += taken(block);
  }
  for (const FtlPlane plane : planes_.places()) persist(archive, plane);
}

void BlockTable::persist(Archive& archive, Superblock block) {
  const auto require = [&](bool holds, const char* what) {
    if (!holds) archive.refuse("block " + std::to_string(block.value) + " " + what);
  };
  Block& of = blocks_[block];
  const bool initial = of.filled;
  State state = of.state;
  archive.enumeration(state, State::retired, "the state of a block");
  of.state = state;
  archive.number(of.next_page, geometry_.units_per_block(), "the next page of a block");
  archive.number(of.erases, most_erases, "the erases of a block");
  archive(of.stream, of.copies, of.write_mode, of.last_written);
  bool filled = of.filled, failing = of.failing, marked = of.frontier_mark, renewed = of.renewed;
  bool changed = filled ? touched(block) : of.valid != 0;  // whether the block has records of its pages
  archive(filled, failing, marked, renewed, changed);
  of.filled = filled;
  of.failing = failing;
  of.frontier_mark = marked;
  of.renewed = renewed;
  if (changed && filled) {
    invalidated_.persist(archive, byte_of(block, 0), bit_bytes_);
  } else if (changed) {
    held_.persist(archive, geometry_.unit(block, 0).value, geometry_.units_per_block());
  }
  if (!archive.loading()) return;

  require(of.state != State::victim && of.state != State::erasing && of.state != State::unknown,
          "is in a state that no block has in a drive at rest");
  require(initial || !filled, "is marked as preconditioned, but was empty at the start");
  require(!filled || of.state == State::full || of.state == State::open,
          "is marked as preconditioned, but is not in use");
  require(of.state != State::free || (of.next_page == 0 && !failing), "is free, but written or failing");
  require(of.next_page <= shape(block).units(), "has more pages than its write mode allows");
  require(of.state != State::open || (of.next_page < shape(block).units() && !failing), "is open, but full or failing");
  require(of.write_mode == 0 || (!filled && of.next_page != 0),
          "has a write mode, but was not written since the start");
  require(of.next_page % units_per_page() == 0, "ends within a page");
  if (changed) {
    of.valid = count_valid(block);
  } else {
    of.valid = filled ? initial_.valid_pages(block) : 0;
  }
  require(of.valid == 0 || of.state == State::open || of.state == State::full, "holds data, but is not in use");
}

std::uint32_t BlockTable::count_valid(Superblock block) const {
  std::uint32_t valid = 0;
  if (blocks_[block].filled) {
    valid = initial_.valid_pages(block);
    for_each_invalidated(block, [&](Ppa place) { valid -= initial_.lpn_at(place).valid(); });
    return valid;
  }
  for (std::uint32_t page = 0; page < geometry_.units_per_block(); ++page) {
    valid += held_by(geometry_.unit(block, page)).valid();
  }
  return valid;
}

// Saves or restores the list of free blocks in the order in which they will be taken. All other state of the plane is
// computed from its blocks.
void BlockTable::persist(Archive& archive, FtlPlane id) {
  PlaneBlocks& plane = planes_[id];
  std::vector<Superblock> free;
  for (Superblock block = plane.first_free; free.size() < plane.free; block = blocks_[block].next_free) {
    free.push_back(block);
  }
  archive.list(free, geometry_.blocks_per_plane(), "free blocks of a plane",
               [&](Superblock& block) { archive.index(block, blocks_.size(), "a free block"); });
  if (!archive.loading()) return;
  free_ -= plane.free;
  spare_free_ -= plane.free - std::min(plane.free, kept_free);
  plane = {};
  plane.full = LeastValidIndex(geometry_.blocks_per_plane());
  std::uint32_t left = 0;
  for (std::uint32_t index = 0; index < geometry_.blocks_per_plane(); ++index) {
    const Superblock block = geometry_.block(id, index);
    plane.good += blocks_[block].state != State::retired;
    plane.journal += blocks_[block].state == State::journal;
    plane.valid += blocks_[block].valid;
    if (blocks_[block].state == State::full) index_full(block);
    left += blocks_[block].state == State::free;
  }
  archive.require(free.size() == left, "the free blocks of a plane are not those that are in the state free");
  std::vector<bool> seen(geometry_.blocks_per_plane());
  for (const Superblock block : free) {
    const bool fits = geometry_.plane_of(block) == id && blocks_[block].state == State::free &&
                      !seen[geometry_.block_in_plane(block)];
    archive.require(fits, "the free blocks of a plane are not those that are in the state free");
    seen[geometry_.block_in_plane(block)] = true;
    push_free(block);
  }
}

bool BlockTable::invalidated(Ppa ppa) const {
  const std::uint32_t page = geometry_.unit_in_block(ppa);
  return (invalidated_[byte_of(geometry_.block_of(ppa), page)] >> (page % 8) & 1) != 0;
}

}  // namespace nandscape::controller

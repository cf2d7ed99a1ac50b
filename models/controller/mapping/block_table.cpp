// SPDX-License-Identifier: Apache-2.0
#include "controller/mapping/block_table.h"

#include <algorithm>
#include <bit>
#include <cstring>
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
      entry_bytes_((static_cast<unsigned>(std::bit_width(g.units())) + 7) / 8),  // no more logical than physical pages
      entry_mask_(~std::uint64_t{0} >> (64 - 8 * entry_bytes_)),
      state_(g.blocks(), State::free),
      valid_(g.blocks()),
      next_page_(g.blocks()),
      pins_(g.blocks()),
      programs_(g.blocks()),
      erases_(g.blocks()),
      streams_(g.blocks()),
      copies_(g.blocks()),
      next_free_(g.blocks()),
      planes_(g.planes()),
      records_(g.blocks()),
      filled_(g.blocks()),
      failing_(g.blocks()),
      frontier_marks_(g.blocks()),
      renewed_(g.blocks()),
      write_modes_(g.blocks()) {
  for (const FtlPlane plane : g.every_plane()) {
    planes_[plane].good = g.blocks_per_plane();
    planes_[plane].full = LeastValidIndex(g.blocks_per_plane());
    const std::uint32_t full = initial.full_blocks(plane), used = initial.used_blocks(plane);
    for (std::uint32_t index = 0; index < g.blocks_per_plane(); ++index) {
      const Superblock block = g.block(plane, index);
      if (start_up == StartUp::from_flash) {
        state_[block] = State::unknown;
        taken_units_ += taken(block);
        continue;
      }
      if (index >= used) {
        push_free(block);
        continue;
      }
      state_[block] = index < full ? State::full : State::open;
      streams_[block] = static_cast<std::uint8_t>(index < full ? 0 : index - full);
      valid_[block] = initial.valid_pages(block);
      planes_[plane].valid += valid_[block];
      next_page_[block] = initial.programmed_pages(block);
      taken_units_ += taken(block);
      filled_[block] = true;
      frontier_marks_[block] = initial.patterned(block);
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
  next_free_[block] = Superblock();
  ++free_;
  spare_free_ += plane.free >= kept_free;
  if (plane.free++ == 0) {
    plane.first_free = block;
  } else {
    next_free_[plane.last_free] = block;
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
    for (Superblock last = chosen, block = next_free_[last]; block.valid(); last = block, block = next_free_[block]) {
      if (!better(erases_[block], erases_[chosen])) continue;
      before = last;
      chosen = block;
    }
  }
  (before.valid() ? next_free_[before] : plane.first_free) = next_free_[chosen];
  if (plane.last_free == chosen) plane.last_free = before;
  --plane.free;
  --free_;
  spare_free_ -= plane.free >= kept_free;
  set_state(chosen, State::open);
  streams_[chosen] = stream;
  return chosen;
}

Ppa BlockTable::append(Superblock block, Tick now, std::uint32_t pages) {
  if (last_written_.empty()) last_written_.resize(state_.size());
  last_written_[block] = now;
  if (filled_[block]) [[unlikely]]
    list_pages(block);
  const Ppa ppa = geometry_.unit(block, next_page_[block]);
  next_page_[block] += pages;
  taken_units_ += pages;
  if (next_page_[block] == shape(block).units()) set_state(block, State::full);
  return ppa;
}

void BlockTable::close(Superblock block) {
  set_state(block, State::full);
  next_page_[block] = shape(block).units();
}

std::uint32_t BlockTable::taken(Superblock block) const {
  switch (state_[block]) {
    case State::free:
    case State::retired: return 0;
    case State::open: return next_page_[block];
    default: return shape(block).units();
  }
}

void BlockTable::set_write_mode(Superblock block, std::uint8_t mode) {
  taken_units_ -= taken(block);
  write_modes_[block] = mode;
  taken_units_ += taken(block);
}

void BlockTable::set_state(Superblock block, State state) {
  State& of = state_[block];
  if (of == State::journal || state == State::journal) {
    std::uint32_t& journal = planes_[geometry_.plane_of(block)].journal;
    journal += (state == State::journal) - (of == State::journal);
  }
  taken_units_ -= taken(block);
  of = state;
  taken_units_ += taken(block);
  if (state == State::full) index_full(block);
}

Superblock BlockTable::emptiest(FtlPlane plane) const {
  const std::uint32_t found = planes_[plane].full.find([&](std::uint32_t index) {
    const Superblock block = geometry_.block(plane, index);
    LeastValidIndex::Block now;
    if (state_[block] != State::full || !gains_page(block)) return now;
    now.listed = valid_[block];
    if (!pinned(block)) now.eligible = valid_[block];
    return now;
  });
  return found == LeastValidIndex::none ? Superblock() : geometry_.block(plane, found);
}

void BlockTable::set_failing(Superblock block) {
  failing_[block] = true;
  if (state_[block] == State::open) close(block);
}

void BlockTable::hold(Ppa ppa, Lpn lpn) {
  const Superblock block = geometry_.block_of(ppa);
  ++valid_[block];
  ++planes_[geometry_.plane_of(block)].valid;
  store(ppa, lpn.value + 1);
}

void BlockTable::invalidate(Ppa ppa) {
  const Superblock block = geometry_.block_of(ppa);
  --valid_[block];
  --planes_[geometry_.plane_of(block)].valid;
  if (state_[block] == State::full) index_full(block);
  if (!filled_[block]) {
    store(ppa, 0);
    return;
  }
  auto& bits = records_[block];
  if (bits == nullptr) bits = std::make_unique<std::uint8_t[]>(record_bytes(block));
  const std::uint32_t page = geometry_.unit_in_block(ppa);
  bits[page / 8] |= static_cast<std::uint8_t>(1U << (page % 8));
}

void BlockTable::hold_again(Ppa ppa, Lpn lpn) {
  const Superblock block = geometry_.block_of(ppa);
  if (!filled_[block]) {
    hold(ppa, lpn);
    return;
  }
  ++valid_[block];
  ++planes_[geometry_.plane_of(block)].valid;
  const std::uint32_t page = geometry_.unit_in_block(ppa);
  records_[block][page / 8] &= static_cast<std::uint8_t>(~(1U << (page % 8)));
}

void BlockTable::invalidate_all() {
  std::ranges::fill(valid_, 0);
  for (PlaneBlocks& plane : planes_) plane.valid = 0;
  for (auto& record : records_) record.reset();
  std::fill(filled_.begin(), filled_.end(), false);
  for (const Superblock block : geometry_.every_block()) {
    if (state_[block] == State::full) index_full(block);
  }
}

Lpn BlockTable::held_by(Ppa ppa) const {
  const Superblock block = geometry_.block_of(ppa);
  if (filled_[block]) return invalidated(ppa) ? Lpn() : initial_.lpn_at(ppa);
  if (records_[block] == nullptr) return Lpn();
  const std::uint64_t entry = load(ppa);
  return entry == 0 ? Lpn() : Lpn(entry - 1);
}

bool BlockTable::still_holds(Ppa ppa) const {
  const Superblock block = geometry_.block_of(ppa);
  if (filled_[block]) return !invalidated(ppa);
  return records_[block] != nullptr && load(ppa) != 0;
}

void BlockTable::forget(Superblock block) {
  valid_[block] = 0;
  next_page_[block] = 0;
  copies_[block] = 0;
  filled_[block] = false;
  frontier_marks_[block] = false;
  renewed_[block] = false;
  write_modes_[block] = 0;
  records_[block].reset();
}

void BlockTable::erased(Superblock block) {
  ++erases_[block];
  set_state(block, State::free);
  forget(block);
  push_free(block);
}

void BlockTable::found_erased(Superblock block, bool known_otherwise) {
  erases_[block] += known_otherwise;
  set_state(block, State::free);
  forget(block);
  push_free(block);
}

void BlockTable::found_programmed(Superblock block, std::uint32_t pages) {
  set_state(block, State::full);
  next_page_[block] = pages;
}

void BlockTable::forget_free() {
  for (PlaneBlocks& plane : planes_) plane.free = 0;
  free_ = spare_free_ = 0;
}

void BlockTable::found_changed(Superblock block) {
  copies_[block] = 0;
  frontier_marks_[block] = false;
  renewed_[block] = false;
  set_write_mode(block, 0);
  if (filled_[block]) list_pages(block);
}

void BlockTable::list_pages(Superblock block) {
  const Ppa first = geometry_.unit(block, 0);
  std::vector<Lpn> held(geometry_.units_per_block());
  for (std::uint32_t page = 0; page < held.size(); ++page) held[page] = held_by(Ppa(first.value + page));
  records_[block].reset();
  filled_[block] = false;
  for (std::uint32_t page = 0; page < held.size(); ++page) {
    if (held[page].valid()) store(Ppa(first.value + page), held[page].value + 1);
  }
}

void BlockTable::found_stamp(Superblock block, std::uint32_t stamp) {
  std::uint32_t& erases = erases_[block];
  erases += (stamp + stamps - stamp_of(erases)) % stamps;
}

void BlockTable::reopen(Superblock block, std::uint32_t programmed_pages, std::uint8_t stream) {
  next_page_[block] = programmed_pages;
  set_state(block, State::open);
  streams_[block] = stream;
}

void BlockTable::retire(Superblock block) {
  set_state(block, State::retired);
  forget(block);
  --planes_[geometry_.plane_of(block)].good;
}

// The eight extra bytes at the end allow the last entry, like every entry, to be loaded as a 64-bit word.
std::size_t BlockTable::record_bytes(Superblock block) const {
  if (filled_[block]) return (geometry_.units_per_block() + 7) / 8;
  return std::size_t{geometry_.units_per_block()} * entry_bytes_ + sizeof(std::uint64_t);
}

void BlockTable::persist(Archive& archive) {
  archive.section("block table");
  archive.expect("blocks", state_.size());
  archive.expect("pages of a block", geometry_.units_per_block());
  archive.expect("bytes of an entry", entry_bytes_);
  for (const Superblock block : state_.places()) persist(archive, block);
  if (archive.loading()) {
    taken_units_ = 0;
    for (const Superblock block : state_.places()) taken_units_ += taken(block);
  }
  archive(last_written_.values());
  archive.require(last_written_.empty() || last_written_.size() == state_.size(),
                  "the block table has write times for only a part of the blocks");
  for (const FtlPlane plane : planes_.places()) persist(archive, plane);
}

void BlockTable::persist(Archive& archive, Superblock block) {
  const auto require = [&](bool holds, const char* what) {
    if (!holds) archive.refuse("block " + std::to_string(block.value) + " " + what);
  };
  const bool initial = filled_[block];
  archive.enumeration(state_[block], State::retired, "the state of a block");
  archive.number(next_page_[block], geometry_.units_per_block(), "the next page of a block");
  archive.number(erases_[block], most_erases, "the erases of a block");
  archive(streams_[block], copies_[block], write_modes_[block]);
  bool filled = filled_[block], failing = failing_[block], marked = frontier_marks_[block], renewed = renewed_[block];
  archive(filled, failing, marked, renewed);
  filled_[block] = filled;
  failing_[block] = failing;
  frontier_marks_[block] = marked;
  renewed_[block] = renewed;
  archive.array_or_none(records_[block], record_bytes(block));
  if (!archive.loading()) return;

  require(state_[block] != State::victim && state_[block] != State::erasing && state_[block] != State::unknown,
          "is in a state that no block has in a drive at rest");
  require(initial || !filled, "is marked as preconditioned, but was empty at the start");
  require(!filled || state_[block] == State::full || state_[block] == State::open,
          "is marked as preconditioned, but is not in use");
  require(state_[block] != State::free || (next_page_[block] == 0 && !failing), "is free, but written or failing");
  require(next_page_[block] <= shape(block).units(), "has more pages than its write mode allows");
  require(state_[block] != State::open || (next_page_[block] < shape(block).units() && !failing),
          "is open, but full or failing");
  require(write_modes_[block] == 0 || (!filled && next_page_[block] != 0),
          "has a write mode, but was not written since the start");
  require(next_page_[block] % units_per_page() == 0, "ends within a page");
  valid_[block] = count_valid(block);
  require(valid_[block] == 0 || state_[block] == State::open || state_[block] == State::full,
          "holds data, but is not in use");
}

std::uint32_t BlockTable::count_valid(Superblock block) const {
  std::uint32_t valid = 0;
  if (filled_[block]) {
    valid = initial_.valid_pages(block);
    for_each_invalidated(block, [&](Ppa place) { valid -= initial_.lpn_at(place).valid(); });
    return valid;
  }
  if (records_[block] == nullptr) return 0;
  for (std::uint32_t page = 0; page < shape(block).units(); ++page) {
    valid += held_by(geometry_.unit(block, page)).valid();
  }
  return valid;
}

// Saves or restores the list of free blocks in the order in which they will be taken. All other state of the plane is
// computed from its blocks.
void BlockTable::persist(Archive& archive, FtlPlane id) {
  PlaneBlocks& plane = planes_[id];
  std::vector<Superblock> free;
  for (Superblock block = plane.first_free; free.size() < plane.free; block = next_free_[block]) {
    free.push_back(block);
  }
  archive.list(free, geometry_.blocks_per_plane(), "free blocks of a plane",
               [&](Superblock& block) { archive.index(block, state_.size(), "a free block"); });
  if (!archive.loading()) return;
  free_ -= plane.free;
  spare_free_ -= plane.free - std::min(plane.free, kept_free);
  plane = {};
  plane.full = LeastValidIndex(geometry_.blocks_per_plane());
  std::uint32_t left = 0;
  for (std::uint32_t index = 0; index < geometry_.blocks_per_plane(); ++index) {
    const Superblock block = geometry_.block(id, index);
    plane.good += state_[block] != State::retired;
    plane.journal += state_[block] == State::journal;
    plane.valid += valid_[block];
    if (state_[block] == State::full) index_full(block);
    left += state_[block] == State::free;
  }
  archive.require(free.size() == left, "the free blocks of a plane are not those that are in the state free");
  std::vector<bool> seen(geometry_.blocks_per_plane());
  for (const Superblock block : free) {
    const bool fits =
        geometry_.plane_of(block) == id && state_[block] == State::free && !seen[geometry_.block_in_plane(block)];
    archive.require(fits, "the free blocks of a plane are not those that are in the state free");
    seen[geometry_.block_in_plane(block)] = true;
    push_free(block);
  }
}

bool BlockTable::invalidated(Ppa ppa) const {
  const auto& bits = records_[geometry_.block_of(ppa)];
  const std::uint32_t page = geometry_.unit_in_block(ppa);
  return bits != nullptr && (bits[page / 8] >> (page % 8) & 1) != 0;
}

std::uint64_t BlockTable::load(Ppa ppa) const {
  std::uint64_t entry;
  std::memcpy(&entry, &records_[geometry_.block_of(ppa)][entry_offset(ppa)], sizeof entry);
  return entry & entry_mask_;
}

void BlockTable::store(Ppa ppa, std::uint64_t entry) {
  const Superblock block = geometry_.block_of(ppa);
  auto& record = records_[block];
  if (record == nullptr) record = std::make_unique<std::uint8_t[]>(record_bytes(block));
  std::memcpy(&record[entry_offset(ppa)], &entry, entry_bytes_);
}

}  // namespace nandscape::controller

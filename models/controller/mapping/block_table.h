// SPDX-License-Identifier: Apache-2.0
// What the controller knows of each block: how many of its pages are valid and what they hold, whether it is free, open
// or full, who still reads from it. Structure of arrays; page records exist only for blocks touched since the start.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "controller/mapping/initial_fill.h"
#include "controller/mapping/place.h"
#include "core/ids.h"
#include "protocol/geometry.h"

namespace nandscape {

class BlockTable {
 public:
  enum class State : std::uint8_t {
    free,
    open,    // pages are being programmed
    full,    // may be collected
    victim,  // its valid pages are being moved
    erasing,
  };

  BlockTable(const Geometry& geometry, const InitialFill& initial);

  const Geometry& geometry() const { return geometry_; }
  State state(BlockId block) const { return state_[block.value]; }
  void set_state(BlockId block, State state) { state_[block.value] = state; }
  std::uint32_t valid_pages(BlockId block) const { return valid_[block.value]; }
  std::uint32_t erase_count(BlockId block) const { return erases_[block.value]; }

  // Takes the oldest free block of the plane and opens it, or returns an invalid id.
  BlockId take_free(PlaneId plane);
  std::uint32_t free_blocks(PlaneId plane) const { return free_[plane.value].count; }

  // The next page of an open block is programmed from now on; the block becomes full with its last one.
  Ppn append(BlockId block);
  std::uint32_t next_page(BlockId block) const { return next_page_[block.value]; }

  // A programmed page holds `lpn` from now on.
  void hold(Ppn ppn, Lpn lpn);
  void invalidate(Ppn ppn);
  // What a page holds, or an invalid Lpn.
  Lpn held_by(Ppn ppn) const;

  // The block has been erased and is free.
  void erased(BlockId block);

  // Flash commands on their way to a block keep it from being erased or collected.
  void pin(BlockId block) { ++pins_[block.value]; }
  void unpin(BlockId block) { --pins_[block.value]; }
  bool pinned(BlockId block) const { return pins_[block.value] != 0; }

 private:
  // Free blocks of a plane, first in first out, linked through next_free_.
  struct FreeList {
    BlockId first;
    BlockId last;
    std::uint32_t count = 0;
  };

  // What a page that was programmed since the start holds: 0 nothing (any more), else lpn + 1 in entry_bytes_ bytes.
  std::size_t entry_offset(Ppn ppn) const { return std::size_t{places_.page_in_block(ppn)} * entry_bytes_; }
  std::uint64_t load(Ppn ppn) const;
  void store(Ppn ppn, std::uint64_t record);
  void push_free(BlockId block);

  Geometry geometry_;
  PlaceFinder places_;
  const InitialFill& initial_;
  unsigned entry_bytes_;
  std::uint64_t entry_mask_;
  std::vector<State> state_;
  std::vector<std::uint16_t> valid_;
  std::vector<std::uint16_t> next_page_;
  std::vector<std::uint16_t> pins_;
  std::vector<std::uint32_t> erases_;
  std::vector<BlockId> next_free_;
  std::vector<FreeList> free_;  // by plane
  // By block, made when it is first touched. As long as the block holds what it was preconditioned with (filled_), one
  // bit per page that was invalidated since; afterwards one entry per page.
  std::vector<std::unique_ptr<std::uint8_t[]>> records_;
  std::vector<bool> filled_;
};

}  // namespace nandscape

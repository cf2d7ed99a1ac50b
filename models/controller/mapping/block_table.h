// SPDX-License-Identifier: Apache-2.0
// What the controller knows of each block: how many of its pages are valid and what they hold, whether it is free, open
// or full, who still reads from it. Structure of arrays; page records exist only for blocks touched since the start.
#pragma once

#include <algorithm>
#include <cstdint>
#include <memory>
#include <vector>

#include "controller/mapping/initial_fill.h"
#include "controller/mapping/place.h"
#include "controller/mapping/start_up.h"
#include "controller/mapping/wear_levelling_parameters.h"
#include "core/archive.h"
#include "core/ids.h"
#include "core/ticks.h"
#include "protocol/geometry.h"

namespace nandscape::controller {

class BlockTable {
 public:
  enum class State : std::uint8_t {
    free,
    open,    // pages are being programmed
    full,    // may be collected
    victim,  // its valid pages are being moved
    erasing,
    journal,  // holds what is no page of the host's (see power_loss/trim_journal.h)
    unknown,  // the flash has not been looked at yet
    retired,  // an operation on it has failed; it holds nothing, and is not used any more
  };

  // A page of the table is a mapping unit, of which a page of the flash holds so many. With as_preconditioned, blocks
  // are what the fill made of them; else they are unknown and hold nothing.
  BlockTable(const Geometry& geometry, const InitialFill& initial, std::uint32_t units_per_page = 1,
             StartUp start_up = StartUp::as_preconditioned);

  const Geometry& geometry() const { return geometry_; }
  std::uint32_t units_per_page() const { return units_per_page_; }
  State state(BlockId block) const { return state_[block.value]; }
  void set_state(BlockId block, State state);
  std::uint32_t valid_pages(BlockId block) const { return valid_[block.value]; }
  std::uint32_t erase_count(BlockId block) const { return erases_[block.value]; }

  // Takes a free block of the plane and opens it for a stream, or returns an invalid id.
  BlockId take_free(PlaneId plane, FreeBlockOrder order = FreeBlockOrder::fifo, std::uint8_t stream = 0);
  std::uint8_t stream(BlockId block) const { return streams_[block.value]; }
  std::uint32_t free_blocks(PlaneId plane) const { return planes_[plane.value].free; }
  std::uint64_t free_blocks() const { return free_; }  // of all planes
  // Blocks of the plane that are not retired, and what they hold in pages.
  std::uint32_t good_blocks(PlaneId plane) const { return planes_[plane.value].good; }
  std::uint64_t good_blocks() const;  // of all planes
  // Blocks of the plane that are the journal's.
  std::uint32_t journal_blocks(PlaneId plane) const { return planes_[plane.value].journal; }
  std::uint64_t valid_in_plane(PlaneId plane) const { return planes_[plane.value].valid; }

  // The next `pages` pages of an open block are programmed from now on, and the first of them is returned; the block
  // becomes full with its last one.
  Ppn append(BlockId block, Tick now, std::uint32_t pages = 1);
  std::uint32_t next_page(BlockId block) const { return next_page_[block.value]; }
  // When a page of the block was last programmed; 0 for what the device was preconditioned with.
  Tick last_written(BlockId block) const { return last_written_.empty() ? 0 : last_written_[block.value]; }
  // An open block takes no more pages.
  void close(BlockId block);
  // A program has failed: the block takes no more pages, and is to be retired once it holds nothing.
  void set_failing(BlockId block);
  bool failing(BlockId block) const { return failing_[block.value]; }

  // How often what the block holds has moved without its errors being corrected, the most of its pages.
  std::uint8_t copies(BlockId block) const { return copies_[block.value]; }
  void copied(BlockId from, BlockId to) {
    copies_[to.value] = std::max(copies_[to.value], static_cast<std::uint8_t>(copies_[from.value] + 1));
  }

  // The mark of its write frontier, which stands in its pages' tags, too (page_tag.h).
  bool frontier_mark(BlockId block) const { return frontier_marks_[block.value]; }
  void set_frontier_mark(BlockId block) { frontier_marks_[block.value] = true; }

  // It still holds what the device was preconditioned with.
  bool filled(BlockId block) const { return filled_[block.value]; }

  // A programmed page holds `lpn` from now on.
  void hold(Ppn ppn, Lpn lpn);
  void invalidate(Ppn ppn);
  // A page that was invalidated, and whose block was not erased since, holds what it held.
  void hold_again(Ppn ppn, Lpn lpn);
  // No page of any block holds anything any more.
  void invalidate_all();
  // What a page holds, or an invalid Lpn.
  Lpn held_by(Ppn ppn) const;

  // The block has been erased and is free.
  void erased(BlockId block);
  // A block is erased, which was not known of it, or so many of its first pages are programmed.
  void found_erased(BlockId block, bool known_otherwise);
  void found_programmed(BlockId block, std::uint32_t pages);
  // What was known of the blocks is out of date: which of them are free is yet to be found.
  void forget_free();
  // What was known of it may be true of a part of it only: each page is looked at by itself from now on.
  void found_changed(BlockId block);
  // By what the block's pages say of it, it has been erased so often, but for multiples of `stamps`.
  void found_stamp(BlockId block, std::uint32_t stamp);
  // A block whose rest is erased is written on.
  void reopen(BlockId block, std::uint32_t programmed_pages, std::uint8_t stream);
  // The block holds nothing any more and is not to be used again.
  void retire(BlockId block);

  // Flash commands on their way to a block keep it from being erased or collected.
  void pin(BlockId block) { ++pins_[block.value]; }
  void unpin(BlockId block) { --pins_[block.value]; }
  bool pinned(BlockId block) const { return pins_[block.value] != 0; }

  // It may hold something else than when the simulation began.
  bool touched(BlockId block) const { return !filled_[block.value] || records_[block.value] != nullptr; }

  // No block may be pinned. What the table says by itself is checked; what it must agree on with others is not.
  void persist(Archive& archive);

 private:
  // The free blocks of a plane are linked through next_free_, first in first out.
  struct PlaneBlocks {
    BlockId first_free;
    BlockId last_free;
    std::uint32_t free = 0;
    std::uint32_t good = 0;
    std::uint32_t journal = 0;
    std::uint64_t valid = 0;
  };

  // What a page that was programmed since the start holds: 0 nothing (any more), else lpn + 1 in entry_bytes_ bytes.
  std::size_t entry_offset(Ppn ppn) const { return std::size_t{places_.page_in_block(ppn)} * entry_bytes_; }
  std::uint64_t load(Ppn ppn) const;
  void store(Ppn ppn, std::uint64_t record);
  std::size_t record_bytes(BlockId block) const;
  std::uint32_t count_valid(BlockId block) const;
  void persist(Archive& archive, BlockId block);
  void persist(Archive& archive, PlaneId plane);
  void push_free(BlockId block);
  void forget(BlockId block);

  Geometry geometry_;
  std::uint32_t units_per_page_;
  PlaceFinder places_;
  const InitialFill& initial_;
  unsigned entry_bytes_;
  std::uint64_t entry_mask_;
  std::vector<State> state_;
  std::vector<std::uint32_t> valid_;
  std::vector<std::uint32_t> next_page_;
  std::vector<std::uint16_t> pins_;
  std::vector<std::uint32_t> erases_;
  std::vector<std::uint8_t> streams_;
  std::vector<std::uint8_t> copies_;
  std::vector<Tick> last_written_;  // empty until a page is programmed
  std::vector<BlockId> next_free_;
  std::vector<PlaneBlocks> planes_;
  std::uint64_t free_ = 0;
  // By block, made when it is first touched. As long as the block holds what it was preconditioned with (filled_), one
  // bit per page that was invalidated since; afterwards one entry per page.
  std::vector<std::unique_ptr<std::uint8_t[]>> records_;
  std::vector<bool> filled_;
  std::vector<bool> failing_;
  std::vector<bool> frontier_marks_;
};

}  // namespace nandscape::controller

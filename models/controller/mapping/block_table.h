// SPDX-License-Identifier: Apache-2.0
// What the controller knows of each block: how many of its pages are valid and what they hold, whether it is free, open
// or full, who still reads from it. Structure of arrays; page records exist only for blocks touched since the start.
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>
#include <memory>
#include <vector>

#include "controller/addresses/ftl_geometry.h"
#include "controller/addresses/ids.h"
#include "controller/mapping/initial_fill.h"
#include "controller/mapping/least_valid_index.h"
#include "controller/mapping/start_up.h"
#include "controller/mapping/wear_levelling_parameters.h"
#include "core/archive.h"
#include "core/ticks.h"

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
  BlockTable(const FtlGeometry& geometry, const InitialFill& initial, std::uint32_t units_per_page = 1,
             StartUp start_up = StartUp::as_preconditioned);

  const FtlGeometry& geometry() const { return geometry_; }
  std::uint32_t units_per_page() const { return units_per_page_; }
  State state(Superblock block) const { return state_[block]; }
  void set_state(Superblock block, State state);
  std::uint32_t valid_pages(Superblock block) const { return valid_[block]; }
  std::uint32_t erase_count(Superblock block) const { return erases_[block]; }

  // Takes a free block of the plane and opens it for a stream, or returns an invalid id.
  Superblock take_free(FtlPlane plane, FreeBlockOrder order = FreeBlockOrder::fifo, std::uint8_t stream = 0);
  std::uint8_t stream(Superblock block) const { return streams_[block]; }
  std::uint32_t free_blocks(FtlPlane plane) const { return planes_[plane].free; }
  std::uint64_t free_blocks() const { return free_; }  // of all planes
  // Free blocks of all planes but for the last few of each, which saving leaves and collection may take.
  std::uint64_t spare_free_blocks() const { return spare_free_; }
  // Blocks of the plane that are not retired, and what they hold in pages.
  std::uint32_t good_blocks(FtlPlane plane) const { return planes_[plane].good; }
  std::uint64_t good_blocks() const;  // of all planes
  // Blocks of the plane that are the journal's.
  std::uint32_t journal_blocks(FtlPlane plane) const { return planes_[plane].journal; }
  std::uint64_t valid_in_plane(FtlPlane plane) const { return planes_[plane].valid; }

  // The next `pages` pages of an open block are programmed from now on, and the first of them is returned; the block
  // becomes full with its last one.
  Ppa append(Superblock block, Tick now, std::uint32_t pages = 1);
  std::uint32_t next_page(Superblock block) const { return next_page_[block]; }
  // When a page of the block was last programmed; 0 for what the device was preconditioned with.
  Tick last_written(Superblock block) const { return last_written_.empty() ? 0 : last_written_[block]; }
  // An open block takes no more pages.
  void close(Superblock block);
  // A program has failed: the block takes no more pages, and is to be retired once it holds nothing.
  void set_failing(Superblock block);
  bool failing(Superblock block) const { return failing_[block]; }
  // Whether programs of its pages may be under way.
  bool may_be_programmed(Superblock block) const { return state(block) == State::open || failing(block); }

  // How often what the block holds has moved without its errors being corrected, the most of its pages.
  std::uint8_t copies(Superblock block) const { return copies_[block]; }
  void copied(Superblock from, Superblock to) {
    copies_[to] = std::max(copies_[to], static_cast<std::uint8_t>(copies_[from] + 1));
  }

  // The mark of its write frontier, which stands in its pages' tags, too (page_tag.h).
  bool frontier_mark(Superblock block) const { return frontier_marks_[block]; }
  void set_frontier_mark(Superblock block) { frontier_marks_[block] = true; }

  // The mode that it is written in, as its write mode says (writing/write_mode.h). It stands in its pages' tags, too.
  // 0: none of its own.
  std::uint8_t write_mode(Superblock block) const { return write_modes_[block]; }
  void set_write_mode(Superblock block, std::uint8_t mode) { write_modes_[block] = mode; }

  // It was renewed in place: pages of it are given up, and at its next refresh it is emptied.
  bool renewed(Superblock block) const { return renewed_[block]; }
  void set_renewed(Superblock block) { renewed_[block] = true; }

  // It still holds what the device was preconditioned with, and nothing besides.
  bool filled(Superblock block) const { return filled_[block]; }

  // A programmed page holds `lpn` from now on.
  void hold(Ppa ppa, Lpn lpn);
  void invalidate(Ppa ppa);
  // A page that was invalidated, and whose block was not erased since, holds what it held.
  void hold_again(Ppa ppa, Lpn lpn);
  // No page of any block holds anything any more.
  void invalidate_all();
  // What a page holds, or an invalid Lpn.
  Lpn held_by(Ppa ppa) const;
  // Whether a page that held something, in a block that has not been erased since, holds it still.
  bool still_holds(Ppa ppa) const;

  // Calls visit(Ppa) for each page of a block that still holds what it was filled with, but for what was invalidated
  // since: this page.
  template <class Visit>
  void for_each_invalidated(Superblock block, Visit visit) const {
    const auto& bits = records_[block];
    if (bits == nullptr) return;
    for (std::uint32_t byte = 0; byte < record_bytes(block); ++byte) {
      for (unsigned left = bits[byte]; left != 0; left &= left - 1) {
        const std::uint32_t page = 8 * byte + static_cast<unsigned>(std::countr_zero(left));
        if (page < geometry_.units_per_block()) visit(geometry_.unit(block, page));
      }
    }
  }

  // The block has been erased and is free.
  void erased(Superblock block);
  // A block is erased, which was not known of it, or so many of its first pages are programmed.
  void found_erased(Superblock block, bool known_otherwise);
  void found_programmed(Superblock block, std::uint32_t pages);
  // What was known of the blocks is out of date: which of them are free is yet to be found.
  void forget_free();
  // What was known of it may be true of a part of it only: each page is looked at by itself from now on.
  void found_changed(Superblock block);
  // By what the block's pages say of it, it has been erased so often, but for multiples of `stamps`.
  void found_stamp(Superblock block, std::uint32_t stamp);
  // A block whose rest is erased is written on.
  void reopen(Superblock block, std::uint32_t programmed_pages, std::uint8_t stream);
  // The block holds nothing any more and is not to be used again.
  void retire(Superblock block);

  // Flash commands on their way to a block keep it from being erased or collected.
  void pin(Superblock block) { ++pins_[block]; }
  void unpin(Superblock block) { --pins_[block]; }
  bool pinned(Superblock block) const { return pins_[block] != 0; }

  // The first of the plane's blocks with the fewest valid pages among those that are full, that no flash command is on
  // its way to, and in which as many units as a page holds are invalid; an invalid id when there is none.
  Superblock emptiest(FtlPlane plane) const;

  // It may hold something else than when the simulation began.
  bool touched(Superblock block) const { return !filled_[block] || records_[block] != nullptr; }

  // No block may be pinned. What the table says by itself is checked; what it must agree on with others is not.
  void persist(Archive& archive);

 private:
  // Of each plane's free blocks, saving leaves one; until then collection may take one more than it gives back.
  static constexpr std::uint32_t kept_free = 2;

  // The free blocks of a plane are linked through next_free_, first in first out.
  struct PlaneBlocks {
    Superblock first_free;
    Superblock last_free;
    std::uint32_t free = 0;
    std::uint32_t good = 0;
    std::uint32_t journal = 0;
    std::uint64_t valid = 0;
    mutable LeastValidIndex full;  // bounds, which a search makes tighter
  };

  // What a page that was programmed since the start holds: 0 nothing (any more), else lpn + 1 in entry_bytes_ bytes.
  std::size_t entry_offset(Ppa ppa) const { return std::size_t{geometry_.unit_in_block(ppa)} * entry_bytes_; }
  std::uint64_t load(Ppa ppa) const;
  bool invalidated(Ppa ppa) const;  // of a filled block, since it was filled
  void store(Ppa ppa, std::uint64_t record);
  std::size_t record_bytes(Superblock block) const;
  std::uint32_t count_valid(Superblock block) const;
  void persist(Archive& archive, Superblock block);
  void persist(Archive& archive, FtlPlane plane);
  void push_free(Superblock block);
  // The full block may be emptier than any other.
  void index_full(Superblock block) {
    planes_[geometry_.plane_of(block)].full.lower(geometry_.block_in_plane(block), valid_[block]);
  }
  // What the device was preconditioned with is written down page by page, as of other blocks.
  void list_pages(Superblock block);
  void forget(Superblock block);

  FtlGeometry geometry_;
  std::uint32_t units_per_page_;
  const InitialFill& initial_;
  unsigned entry_bytes_;
  std::uint64_t entry_mask_;
  IdVector<Superblock, State> state_;
  IdVector<Superblock, std::uint32_t> valid_;
  IdVector<Superblock, std::uint32_t> next_page_;
  IdVector<Superblock, std::uint16_t> pins_;
  IdVector<Superblock, std::uint32_t> erases_;
  IdVector<Superblock, std::uint8_t> streams_;
  IdVector<Superblock, std::uint8_t> copies_;
  IdVector<Superblock, Tick> last_written_;  // empty until a page is programmed
  IdVector<Superblock, Superblock> next_free_;
  IdVector<FtlPlane, PlaneBlocks> planes_;
  std::uint64_t free_ = 0;
  std::uint64_t spare_free_ = 0;
  // By block, made when it is first touched. As long as the block holds what it was preconditioned with (filled_), one
  // bit per page that was invalidated since; afterwards one entry per page.
  IdVector<Superblock, std::unique_ptr<std::uint8_t[]>> records_;
  IdVector<Superblock, bool> filled_;
  IdVector<Superblock, bool> failing_;
  IdVector<Superblock, bool> frontier_marks_;
  IdVector<Superblock, bool> renewed_;
  IdVector<Superblock, std::uint8_t> write_modes_;
};

}  // namespace nandscape::controller

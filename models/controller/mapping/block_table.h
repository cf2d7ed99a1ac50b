// SPDX-License-Identifier: Apache-2.0
// The controller's knowledge of each block: its state (free, open, full...), its shape, its valid pages and what they
// hold, and how many pending commands use it. Structure of arrays; page records exist only for blocks touched since the
// start.
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>
#include <memory>
#include <vector>

#include "controller/addresses/ftl_geometry.h"
#include "controller/addresses/ids.h"
#include "controller/mapping/block_shape.h"
#include "controller/mapping/initial_fill.h"
#include "controller/mapping/least_valid_index.h"
#include "controller/mapping/parameters.h"
#include "controller/mapping/power_state.h"
#include "core/archive.h"
#include "core/component.h"
#include "core/ticks.h"

namespace nandscape::controller {

// Is notified of erases.
class EraseListener {
 public:
  // Called when the erase of the block has ended. `erased` is false if it has failed.
  virtual void block_erased(Superblock block, bool erased, Tick now) = 0;

 protected:
  ~EraseListener() = default;
};

class BlockTable final : public Component {
 public:
  enum class State : std::uint8_t {
    free,
    open,    // pages are being programmed
    full,    // may be collected
    victim,  // its valid pages are being moved
    erasing,
    journal,  // holds the journal of trims (power_loss/trim_journal.h)
    unknown,  // the flash has not been scanned yet
    retired,  // an operation on it has failed; it holds nothing and is not used again
  };

  // A "page" of this table is a mapping unit; a page of the flash holds `units_per_page` units. With as_preconditioned,
  // blocks are as the fill describes them, in mode 0; otherwise they are unknown and hold nothing.
  BlockTable(const FtlGeometry& geometry, const InitialFill& initial, const BlockShapes& shapes,
             StartUp start_up = StartUp::as_preconditioned);
  // All blocks have one shape, in which a mapping unit fills a page and a wordline has one page.
  BlockTable(const FtlGeometry& geometry, const InitialFill& initial)
      : BlockTable(geometry, initial, BlockShapes({.rows = geometry.units_per_block()})) {}

  const FtlGeometry& geometry() const { return geometry_; }
  std::uint32_t units_per_page() const { return shapes_.ordinary().units_per_page; }
  const BlockShapes& shapes() const { return shapes_; }
  // The shape of the block in its mode.
  const BlockShape& shape(Superblock block) const { return shapes_.of(write_modes_[block]); }
  State state(Superblock block) const { return state_[block]; }
  void set_state(Superblock block, State state);
  std::uint32_t valid_pages(Superblock block) const { return valid_[block]; }
  std::uint32_t erase_count(Superblock block) const { return erases_[block]; }

  // Takes a free block of the plane and opens it for a stream, or returns an invalid id if no block is free.
  Superblock take_free(FtlPlane plane, FreeBlockOrder order = FreeBlockOrder::fifo, std::uint8_t stream = 0);
  std::uint8_t stream(Superblock block) const { return streams_[block]; }
  std::uint32_t free_blocks(FtlPlane plane) const { return planes_[plane].free; }
  std::uint64_t free_blocks() const { return free_; }  // free blocks of all planes
  // Free blocks on all planes, except the `kept_free` blocks on each plane that saving leaves for collection.
  std::uint64_t spare_free_blocks() const { return spare_free_; }
  // Blocks of the plane that are not retired.
  std::uint32_t good_blocks(FtlPlane plane) const { return planes_[plane].good; }
  std::uint64_t good_blocks() const;  // good blocks of all planes
  // Units of all planes that are programmed, or that cannot be programmed because their block was closed.
  std::uint64_t taken_units() const { return taken_units_; }
  // Blocks of the journal on the plane.
  std::uint32_t journal_blocks(FtlPlane plane) const { return planes_[plane].journal; }
  // Valid mapping units of the plane.
  std::uint64_t valid_in_plane(FtlPlane plane) const { return planes_[plane].valid; }

  // Takes the next `pages` pages of an open block for programming and returns the first of them. The last page makes
  // the block full.
  Ppa append(Superblock block, Tick now, std::uint32_t pages = 1);
  std::uint32_t next_page(Superblock block) const { return next_page_[block]; }
  // Time when a page of the block was last programmed; 0 for preconditioned data.
  Tick last_written(Superblock block) const { return last_written_.empty() ? 0 : last_written_[block]; }
  // Makes an open block full: it takes no more pages.
  void close(Superblock block);
  // Called when a program has failed. The block takes no more pages, and is retired once it has no valid page.
  void set_failing(Superblock block);
  bool failing(Superblock block) const { return failing_[block]; }
  // Whether programs of the block's pages may be under way. A block is full once its last page has its place, and is
  // programmed for some time after that.
  [[nodiscard]] bool may_be_programmed(Superblock block) const {
    return state(block) == State::open || failing(block) || programs_[block] != 0;
  }

  // Number of times in a row that data of the block have moved without error correction; the maximum over its pages.
  std::uint8_t copies(Superblock block) const { return copies_[block]; }
  void copied(Superblock from, Superblock to) {
    copies_[to] = std::max(copies_[to], static_cast<std::uint8_t>(copies_[from] + 1));
  }

  // The block's frontier mark, which is also in the tags of its pages (page_tag.h).
  bool frontier_mark(Superblock block) const { return frontier_marks_[block]; }
  void set_frontier_mark(Superblock block) { frontier_marks_[block] = true; }

  // The mode in which the block is written, as chosen by the write-mode policy (writing/write_mode.h), or 0 if none was
  // chosen. It decides the block's shape, and is set before the block's first page is appended. The mode is also in the
  // tags of its pages.
  std::uint8_t write_mode(Superblock block) const { return write_modes_[block]; }
  void set_write_mode(Superblock block, std::uint8_t mode);

  // Whether the block was renewed in place: some of its pages are given up, and its next refresh empties it.
  bool renewed(Superblock block) const { return renewed_[block]; }
  void set_renewed(Superblock block) { renewed_[block] = true; }

  // Whether the block is still as preconditioned, apart from pages that were invalidated since.
  bool filled(Superblock block) const { return filled_[block]; }

  // Marks a programmed page as holding `lpn`.
  void hold(Ppa ppa, Lpn lpn);
  void invalidate(Ppa ppa);
  // Makes an invalidated page valid again. Its block must not have been erased since.
  void hold_again(Ppa ppa, Lpn lpn);
  // Invalidates all pages of all blocks.
  void invalidate_all();
  // The logical page that a page holds, or an invalid Lpn.
  Lpn held_by(Ppa ppa) const;
  // Whether a page is still valid. It must have held data, in a block that has not been erased since.
  bool still_holds(Ppa ppa) const;

  // Calls visit(Ppa) for each invalidated page of a block that is still as preconditioned.
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

  // Called when the block has been erased. It becomes free.
  void erased(Superblock block);
  // Record the result of a scan: the block is erased, or its first `pages` pages are programmed. If `known_otherwise`,
  // the erase was not known yet and is counted.
  void found_erased(Superblock block, bool known_otherwise);
  void found_programmed(Superblock block, std::uint32_t pages);
  // Forgets which blocks are free, until the scan finds them.
  void forget_free();
  // Forgets facts that may hold for only a part of the block. From now on, each page has its own record.
  void found_changed(Superblock block);
  // Corrects the erase count by the stamp in the block's pages, which is the count modulo `stamps`. Assumes the lowest
  // count that matches the stamp and is not below the known count.
  void found_stamp(Superblock block, std::uint32_t stamp);
  // Opens a block for writing after its `programmed_pages` pages. The rest must be erased.
  void reopen(Superblock block, std::uint32_t programmed_pages, std::uint8_t stream);
  // Retires the block, which must hold no valid page.
  void retire(Superblock block);

  // A pinned block has pending flash commands, and is neither erased nor collected.
  void pin(Superblock block) { ++pins_[block]; }
  void unpin(Superblock block) { --pins_[block]; }
  bool pinned(Superblock block) const { return pins_[block] != 0; }
  // Pins the block for a program: of a page that has its place, or of the parity of an open row.
  void pin_program(Superblock block) {
    pin(block);
    ++programs_[block];
  }
  void unpin_program(Superblock block) {
    unpin(block);
    --programs_[block];
  }

  // Returns the first of the plane's full blocks with the fewest valid pages, or an invalid id if there is none. Blocks
  // with pending flash commands, or with fewer invalid units than a flash page holds, do not count.
  Superblock emptiest(FtlPlane plane) const;
  // Whether emptying the block gains a flash page: at least as many of its units are invalid as a flash page holds.
  bool gains_page(Superblock block) const { return valid_pages(block) <= shape(block).most_collectable_units(); }

  // Whether the block may hold other data than when the simulation began.
  bool touched(Superblock block) const { return !filled_[block] || records_[block] != nullptr; }

  // Saves or restores the table. No block may be pinned. Checks the table's own consistency, but not that it agrees
  // with other tables.
  void persist(Archive& archive) override;

 private:
  // Free blocks that saving leaves on each plane: one, and another that collection may take before it frees one.
  static constexpr std::uint32_t kept_free = 2;

  // The free blocks of a plane are linked through next_free_, first in first out.
  struct PlaneBlocks {
    Superblock first_free;
    Superblock last_free;
    std::uint32_t free = 0;
    std::uint32_t good = 0;
    std::uint32_t journal = 0;
    std::uint64_t valid = 0;
    mutable LeastValidIndex full;  // bounds, which a search tightens
  };

  // Record of a page programmed since the start: 0 if it is not valid, else lpn + 1, in entry_bytes_ bytes.
  std::size_t entry_offset(Ppa ppa) const { return std::size_t{geometry_.unit_in_block(ppa)} * entry_bytes_; }
  std::uint64_t load(Ppa ppa) const;
  bool invalidated(Ppa ppa) const;  // for blocks with filled(): whether the page was invalidated since
  void store(Ppa ppa, std::uint64_t record);
  std::size_t record_bytes(Superblock block) const;
  std::uint32_t count_valid(Superblock block) const;
  void persist(Archive& archive, Superblock block);
  void persist(Archive& archive, FtlPlane plane);
  void push_free(Superblock block);
  // The block's share of taken_units().
  std::uint32_t taken(Superblock block) const;
  // Updates the index for a full block, which may now have the fewest valid pages.
  void index_full(Superblock block) {
    planes_[geometry_.plane_of(block)].full.lower(geometry_.block_in_plane(block), valid_[block]);
  }
  // Replaces the preconditioned state of the block by a record for each page.
  void list_pages(Superblock block);
  void forget(Superblock block);

  FtlGeometry geometry_;
  BlockShapes shapes_;
  const InitialFill& initial_;
  unsigned entry_bytes_;
  std::uint64_t entry_mask_;
  IdVector<Superblock, State> state_;
  IdVector<Superblock, std::uint32_t> valid_;
  IdVector<Superblock, std::uint32_t> next_page_;
  IdVector<Superblock, std::uint16_t> pins_;
  IdVector<Superblock, std::uint16_t> programs_;  // pins held by programs
  IdVector<Superblock, std::uint32_t> erases_;
  IdVector<Superblock, std::uint8_t> streams_;
  IdVector<Superblock, std::uint8_t> copies_;
  IdVector<Superblock, Tick> last_written_;  // empty until a page is programmed
  IdVector<Superblock, Superblock> next_free_;
  IdVector<FtlPlane, PlaneBlocks> planes_;
  std::uint64_t free_ = 0;
  std::uint64_t spare_free_ = 0;
  std::uint64_t taken_units_ = 0;
  // By block, made when the block is first touched. While filled_: one bit per page that was invalidated since;
  // afterwards one entry per page.
  IdVector<Superblock, std::unique_ptr<std::uint8_t[]>> records_;
  IdVector<Superblock, bool> filled_;
  IdVector<Superblock, bool> failing_;
  IdVector<Superblock, bool> frontier_marks_;
  IdVector<Superblock, bool> renewed_;
  IdVector<Superblock, std::uint8_t> write_modes_;
};

// Keeps blocks with pending commands from being erased, and notifies collection when the last command has ended.
class BlockPins {
 public:
  class Listener {
   public:
    // Called when the last pending command to the block has ended.
    virtual void unpinned(Superblock block, Tick now) = 0;

   protected:
    ~Listener() = default;
  };

  explicit BlockPins(BlockTable& blocks) : blocks_(blocks) {}

  void set_listener(Listener& listener) { listener_ = &listener; }
  void pin(Superblock block) { blocks_.pin(block); }
  void unpin(Superblock block, Tick now) {
    blocks_.unpin(block);
    tell(block, now);
  }
  void unpin_program(Superblock block, Tick now) {
    blocks_.unpin_program(block);
    tell(block, now);
  }

 private:
  void tell(Superblock block, Tick now) {
    if (listener_ != nullptr && !blocks_.pinned(block)) listener_->unpinned(block, now);
  }

  BlockTable& blocks_;
  Listener* listener_ = nullptr;
};

}  // namespace nandscape::controller

// SPDX-License-Identifier: Apache-2.0
// The controller's records of each block: its state (free, open, full, and so on), its shape, its valid pages and the
// logical pages that they hold, and the number of pending commands to it. Each property has its own array. Page records
// are allocated only for blocks that have changed since the start of the simulation.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <vector>

#include "controller/addresses/ftl_geometry.h"
#include "controller/addresses/ids.h"
#include "controller/mapping/block_shape.h"
#include "controller/mapping/initial_fill.h"
#include "controller/mapping/least_valid_index.h"
#include "controller/mapping/packed_numbers.h"
#include "controller/mapping/parameters.h"
#include "controller/mapping/power_state.h"
#include "core/archive.h"
#include "core/component.h"
#include "core/ticks.h"

namespace nandscape::controller {

// Is notified of erases.
class EraseListener {
 public:
  // Called when the erase of the block has ended. `erased` is false if the erase has failed.
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
    retired,  // an operation on the block has failed; the block holds nothing and is never used again
  };
  // The names of the states, in their order.
  static constexpr std::array state_names{"free", "open", "full", "victim", "erasing", "journal", "unknown", "retired"};
  static_assert(state_names.size() == static_cast<std::size_t>(State::retired) + 1);

  // In this table, a "page" is a mapping unit; a page of the flash holds `units_per_page` units. If `start_up` is
  // as_preconditioned, the blocks initially have the content of `initial` and are in mode 0. Otherwise the state of all
  // blocks is unknown, and they hold nothing.
  BlockTable(const FtlGeometry& geometry, const InitialFill& initial, const BlockShapes& shapes,
             StartUp start_up = StartUp::as_preconditioned);
  // Constructs a table in which all blocks have the same shape, each mapping unit fills a page, and each wordline has
  // one page.
  BlockTable(const FtlGeometry& geometry, const InitialFill& initial)
      : BlockTable(geometry, initial, BlockShapes({.rows = geometry.units_per_block()})) {}

  const FtlGeometry& geometry() const { return geometry_; }
  std::uint32_t units_per_page() const { return shapes_.ordinary().units_per_page; }
  const BlockShapes& shapes() const { return shapes_; }
  // The shape of the block in its current write mode.
  const BlockShape& shape(Superblock block) const { return shapes_.of(blocks_[block].write_mode); }
  State state(Superblock block) const { return blocks_[block].state; }
  void set_state(Superblock block, State state);
  std::uint32_t valid_pages(Superblock block) const { return blocks_[block].valid; }
  std::uint32_t erase_count(Superblock block) const { return blocks_[block].erases; }

  // Takes a free block of the plane and opens it for a stream. Returns an invalid id if the plane has no free block.
  Superblock take_free(FtlPlane plane, FreeBlockOrder order = FreeBlockOrder::fifo, std::uint8_t stream = 0);
  std::uint8_t stream(Superblock block) const { return blocks_[block].stream; }
  std::uint32_t free_blocks(FtlPlane plane) const { return planes_[plane].free; }
  std::uint64_t free_blocks() const { return free_; }  // free blocks of all planes
  // The number of free blocks on all planes, without the `kept_free` blocks of each plane that are left for collection
  // when the drive saves on capacitor power.
  std::uint64_t spare_free_blocks() const { return spare_free_; }
  // The number of blocks of the plane that are not retired.
  std::uint32_t good_blocks(FtlPlane plane) const { return planes_[plane].good; }
  std::uint64_t good_blocks() const;  // good blocks of all planes
  // The number of units of all planes that are programmed, or that can no longer be programmed because their block was
  // closed early.
  std::uint64_t taken_units() const { return taken_units_; }
  // The number of blocks of the plane that hold the journal of trims.
  std::uint32_t journal_blocks(FtlPlane plane) const { return planes_[plane].journal; }
  // The number of valid mapping units on the plane.
  std::uint64_t valid_in_plane(FtlPlane plane) const { return planes_[plane].valid; }

  // Assigns the next `pages` pages of an open block to programs and returns the first of these pages. The block becomes
  // full with its last page.
  Ppa append(Superblock block, Tick now, std::uint32_t pages = 1);
  std::uint32_t next_page(Superblock block) const { return blocks_[block].next_page; }
  // The time at which a page of the block was last assigned to a program; 0 for preconditioned data.
  Tick last_written(Superblock block) const { return blocks_[block].last_written; }
  // Makes an open block full before its last page. No more pages of the block can be assigned.
  void close(Superblock block);
  // Called when a program of the block has failed. The block takes no more pages, and is retired once it has no valid
  // page.
  void set_failing(Superblock block);
  bool failing(Superblock block) const { return blocks_[block].failing; }
  // Whether programs of the block's pages may still be under way. A block is full as soon as its last page has been
  // assigned, while the program of this page ends some time later.
  [[nodiscard]] bool may_be_programmed(Superblock block) const {
    return state(block) == State::open || failing(block) || blocks_[block].programs != 0;
  }

  // How often the data of the block have been moved since their errors were last corrected; the maximum over the pages
  // of the block.
  std::uint8_t copies(Superblock block) const { return blocks_[block].copies; }
  void copied(Superblock from, Superblock to) {
    blocks_[to].copies = std::max(blocks_[to].copies, static_cast<std::uint8_t>(blocks_[from].copies + 1));
  }

  // The frontier mark of the block, which is also stored in the tags of its pages (page_tag.h).
  bool frontier_mark(Superblock block) const { return blocks_[block].frontier_mark; }
  void set_frontier_mark(Superblock block) { blocks_[block].frontier_mark = true; }

  // The mode in which the block is written, as chosen by the write-mode policy (writing/write_mode.h), or 0 if the
  // policy did not choose a mode. The mode determines the shape of the block and is set before the first page of the
  // block is appended. It is also stored in the tags of the pages.
  std::uint8_t write_mode(Superblock block) const { return blocks_[block].write_mode; }
  void set_write_mode(Superblock block, std::uint8_t mode);

  // Whether the block has been renewed in place. Some pages of such a block can no longer be used, and its next refresh
  // empties it.
  bool renewed(Superblock block) const { return blocks_[block].renewed; }
  void set_renewed(Superblock block) { blocks_[block].renewed = true; }

  // Whether the block still has its preconditioned content, except for pages that have been invalidated since the
  // start.
  bool filled(Superblock block) const { return blocks_[block].filled; }

  // Records that a programmed page holds the logical page `lpn`.
  void hold(Ppa ppa, Lpn lpn);
  void invalidate(Ppa ppa);
  // Makes an invalidated page valid again. The block must not have been erased since the invalidation.
  void hold_again(Ppa ppa, Lpn lpn);
  // Invalidates all pages of all blocks.
  void invalidate_all();
  // Returns the logical page that the page holds, or an invalid Lpn if the page is not valid.
  Lpn held_by(Ppa ppa) const;
  // Returns whether a page that held data is still valid. Its block must not have been erased since the data were
  // written.
  bool still_holds(Ppa ppa) const;

  // Calls visit(Ppa) for each invalidated page of a block for which filled() is true.
  template <class Visit>
  void for_each_invalidated(Superblock block, Visit visit) const {
    for (std::uint32_t byte = 0; byte < bit_bytes_; ++byte) {
      for (std::uint64_t left = invalidated_[byte_of(block, 8 * byte)]; left != 0; left &= left - 1) {
        const std::uint32_t page = 8 * byte + static_cast<unsigned>(std::countr_zero(left));
        if (page < geometry_.units_per_block()) visit(geometry_.unit(block, page));
      }
    }
  }

  // Called when the block has been erased. Counts the erase and makes the block free.
  void erased(Superblock block);
  // Record the result of the scan after power-on: the block is erased, or its first `pages` pages are programmed. If
  // `known_otherwise` is true, the block has been erased since its state was last recorded, and this erase is counted.
  void found_erased(Superblock block, bool known_otherwise);
  void found_programmed(Superblock block, std::uint32_t pages);
  // Clears the lists of free blocks. The scan after power-on will find them again.
  void forget_free();
  // Called when a part of the block has changed since the recorded state. Discards the facts that apply to the block as
  // a whole. From now on, each page has a separate record.
  void found_changed(Superblock block);
  // Corrects the erase count with the stamp in the block's pages, which is the erase count modulo `stamps`. The new
  // count is the lowest one that matches the stamp and is not below the recorded count.
  void found_stamp(Superblock block, std::uint32_t stamp);
  // Opens the block for writing after its first `programmed_pages` pages. The remaining pages must be erased.
  void reopen(Superblock block, std::uint32_t programmed_pages, std::uint8_t stream);
  // Retires the block permanently. The block must not hold a valid page.
  void retire(Superblock block);

  // A pinned block has pending flash commands. The controller neither erases nor collects it.
  void pin(Superblock block) { ++blocks_[block].pins; }
  void unpin(Superblock block) { --blocks_[block].pins; }
  bool pinned(Superblock block) const { return blocks_[block].pins != 0; }
  // Pins the block for the program of a page that has been assigned, or for the program of the parity page of an open
  // row.
  void pin_program(Superblock block) {
    pin(block);
    ++blocks_[block].programs;
  }
  void unpin_program(Superblock block) {
    unpin(block);
    --blocks_[block].programs;
  }

  // Returns the full block of the plane with the fewest valid pages (the first one on a tie), or an invalid id if there
  // is none. Blocks with pending flash commands are excluded, and so are blocks with fewer invalid units than a flash
  // page holds, because collecting them gains nothing.
  Superblock emptiest(FtlPlane plane) const;
  // Whether emptying the block gains a flash page. This is so if the number of invalid units is at least the number of
  // units in a flash page. Emptying a block of the SLC cache is not collection, so it never counts as a gain here.
  bool gains_page(Superblock block) const {
    return valid_pages(block) <= shape(block).most_collectable_units() && !shape(block).cached;
  }

  // Whether the content of the block may have changed since the start of the simulation.
  bool touched(Superblock block) const { return !filled(block) || valid_pages(block) != initial_.valid_pages(block); }

  // Saves or restores the table. No block may be pinned. Checks that the table is consistent in itself;
  // UnitMap::check() compares it with the mapping table.
  void persist(Archive& archive) override;

 private:
  // The number of free blocks on each plane that the drive does not use when it saves on capacitor power: one block
  // that always remains, and one that collection may need before it frees a block.
  static constexpr std::uint32_t kept_free = 2;

  // The state of one plane. Its free blocks are linked through Block::next_free, first in, first out.
  struct PlaneBlocks {
    Superblock first_free;
    Superblock last_free;
    std::uint32_t free = 0;
    std::uint32_t good = 0;
    std::uint32_t journal = 0;
    std::uint64_t valid = 0;
    mutable LeastValidIndex full;  // mutable because a search tightens its bounds
  };

  struct Block {
    Tick last_written = 0;
    std::uint32_t valid = 0;
    std::uint32_t next_page = 0;
    std::uint32_t erases = 0;
    Superblock next_free;
    std::uint16_t pins = 0;
    std::uint16_t programs = 0;  // pins held by programs
    std::uint8_t stream = 0;
    std::uint8_t copies = 0;
    std::uint8_t write_mode = 0;
    State state : 4 = State::free;
    bool filled : 1 = false;
    bool failing : 1 = false;
    bool frontier_mark : 1 = false;
    bool renewed : 1 = false;
  };
  static_assert(sizeof(Block) == 32);

  // Returns the place in invalidated_ of the byte that contains the bit of the page.
  std::uint64_t byte_of(Superblock block, std::uint32_t page) const {
    return std::uint64_t{block.value} * bit_bytes_ + page / 8;
  }
  bool invalidated(Ppa ppa) const;  // for blocks with filled(): the page was invalidated since
  std::uint32_t count_valid(Superblock block) const;
  void persist(Archive& archive, Superblock block);
  void persist(Archive& archive, FtlPlane plane);
  void push_free(Superblock block);
  // The number of units of the block that count in taken_units().
  std::uint32_t taken(Superblock block) const;
  // Updates the index for a full block, which may now be the block with the fewest valid pages.
  void index_full(Superblock block) {
    if (shape(block).cached) return;
    planes_[geometry_.plane_of(block)].full.lower(geometry_.block_in_plane(block), blocks_[block].valid);
  }
  // Replaces the preconditioned content of the block by one record for each page.
  void list_pages(Superblock block);
  void forget(Superblock block);

  FtlGeometry geometry_;
  BlockShapes shapes_;
  const InitialFill& initial_;
  IdVector<Superblock, Block> blocks_;
  IdVector<FtlPlane, PlaneBlocks> planes_;
  std::uint64_t free_ = 0;
  std::uint64_t spare_free_ = 0;
  std::uint64_t taken_units_ = 0;
  // For each page programmed since the start: 0 if the page is not valid, else the number of its logical page plus 1.
  PackedNumbers held_;
  // For blocks that are filled: one bit for each page, which is set if the page has been invalidated.
  const std::uint32_t bit_bytes_;  // bytes of these bits in each block
  PackedNumbers invalidated_;
};

// Prevents blocks with pending commands from being erased, and notifies collection when the last pending command to a
// block has ended.
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

// SPDX-License-Identifier: Apache-2.0
// Puts mapping units into pages of the flash. Each stream of writes fills a block of its own on each plane; with
// parity, a superblock on each stripe set, as StripeWriter says:
//
//   fill      units of one stream and plane share a page, new ones and moved ones apart, so that moved ones never wait
//             for room with new ones; it closes when it is full, or has waited long enough for new units, or when no
//             more units are moved
//   encode    by the engine of its channel
//   place     when the scheduler sends it: the next page of its stream's open block
//   program
//   durable   when all pages of its wordline are programmed: until then they are only in the die's latches. Their
//             buffers stay here as long, since a program that fails loses the whole wordline.
//
// A page whose program failed is placed again, with the others of its wordline, and its block is reported.
#pragma once

#include <array>
#include <cstdint>
#include <iosfwd>
#include <memory>
#include <vector>

#include "controller/flash_ops/flash_io.h"
#include "controller/mapping/allocation_order.h"
#include "controller/mapping/block_pins.h"
#include "controller/mapping/block_table.h"
#include "controller/mapping/page_tag.h"
#include "controller/mapping/plane_room.h"
#include "controller/writing/block_supply.h"
#include "controller/writing/page_program.h"
#include "controller/writing/unit_write.h"
#include "controller/writing/unit_writes.h"
#include "controller/writing/write_frontier.h"
#include "controller/writing/write_streams.h"
#include "core/archive.h"
#include "core/calendar.h"

namespace nandscape {

struct WriterSettings {
  WriteStreams streams;
  const FullpagePattern* fullpages = nullptr;  // null where they are not spread over layers
  FreeBlockOrder free_block = FreeBlockOrder::fifo;
  Tick coalescing_time = 0;
  bool holds_back = false;  // blocks with older versions are kept until newer ones are durable
};

// Who hears of what becomes of pages.
class WriteListener {
 public:
  // Pages have become durable, or will never be.
  virtual void page_durable(Tick now) = 0;
  // A page that was to be copied has to be written from here: its data are to be read; then read_back().
  virtual void read_back(PageProgram& page, Tick now) = 0;
  // Collection cannot go on anywhere. From now on no plane has room.
  virtual void no_place_left(Tick now) = 0;
  // A program has ended; for those who watch dies.
  virtual void program_ended(const PageProgram& page, Tick now) = 0;

 protected:
  ~WriteListener() = default;
};

class PageWriter final : public PageProgramOwner, private FrontierHost {
 public:
  // Only pages of the `reserve_stream` may go to the blocks that are reserved for collection.
  PageWriter(FlashIo& io, FlashScheduler& scheduler, BlockTable& blocks, BlockPins& pins, PlaneRoom& room,
             UnitWrites& units, Calendar& calendar, const WriterSettings& settings);

  void connect(BlockSupply& supply, WriteListener& listener) {
    supply_ = &supply;
    listener_ = &listener;
  }

  // Planes are those of the mapping, unless they are said to be of the flash.

  // The page that a unit written to that stream and plane goes into.
  PageProgram& page_for(PageOrigin origin, std::uint8_t stream, PlaneId plane);
  // Adds the unit and returns where its bytes go, null where none are kept. They must be there before filled().
  std::byte* add(PageProgram& page, UnitWrite& unit);
  // A unit was added: the page goes its way if it is full.
  void filled(PageProgram& page);

  // A page of several that go to the same block together, one after the other from 1 on.
  PageProgram& page_of_group(std::uint8_t stream, std::uint32_t place_in_group, PlaneId plane);

  // Moves the whole page with these units within its plane, without its passing through here: a copyback. Its place is
  // asked for like that of other pages. Should it fail, or the wordline that it went into, it is read and written.
  PageProgram& make_copy(Ppn first_unit, std::uint8_t stream, UnitWrite& units);
  void copy(PageProgram& page, Tick now);
  // The data of a lost copy have been read, with their tag, or could not be corrected.
  void read_back(PageProgram& page, const FlashOp& read);

  // Padding goes before what it may have to make room for.
  void encoded(PageProgram& page, Tick now) override {
    if (page.is_padding()) {
      io_.enqueue_first(page, now);
    } else {
      io_.enqueue(page, now);
    }
  }
  Placement place(PageProgram& page, Tick now) override;
  // It goes to another plane, or is given up.
  void withdrawn(PageProgram& page, Tick now) override;
  // Whether new pages wait for a place on that plane of the mapping.
  bool blocked(PlaneId plane) const;
  // Whether pages wait for a free block of any plane.
  bool starving() const { return starving_; }
  // There may be one.
  void look_for_places(Tick now);
  // The page of the block that it would get.
  std::uint32_t next_page(const PageProgram& page) const override;
  void program_ended(PageProgram& page, Tick now) override;
  void programmed(PageProgram& page, Tick now);
  // The planes may have got free pages: what has no place is tried again.
  void places_changed(PlaneId plane, Tick now);
  void places_changed_anywhere(Tick now);

  // The open block of that stream, of which so many rows are programmed.
  void resume_block(std::uint8_t stream, PlaneId plane, BlockId block, std::uint32_t rows) {
    frontier_->resume(stream, plane, block, rows);
  }

  // Calls visit(UnitWrite&) for each unit that is programmed and not durable.
  template <class Visit>
  void for_each_undurable(Visit visit) const {
    for (const PageProgram* page = oldest_; page != nullptr; page = page->behind) {
      for (UnitWrite* unit = page->units; unit != nullptr; unit = unit->next_in_page) visit(*unit);
    }
  }

  // The power has failed: what is to be saved may go to any block that is free, since collection will not need it.
  void save() { saving_ = true; }
  // With parity: what waits for parity on that plane of the mapping is looked at again, since rows may never be
  // complete there, or nothing more be written.
  void send_held(PlaneId plane);
  void send_held();

  // Makes what is new of all that is programmed durable, by filling up wordlines; with parity, completes the rows, too.
  // What of it has to be written once more, since a program fails, will be durable all the same. What was moved need
  // not be: it is kept where it was until then. When the power fails there is no time for that, and all is new.
  void complete_wordlines();
  // Likewise, of one plane's open block; with parity, of all planes of its stripe set.
  void complete_wordline(std::uint8_t stream, PlaneId flash_plane);
  // Likewise, of what keeps blocks of that plane of the mapping from being erased.
  void complete_wordlines_for(PlaneId plane);
  // Of the pages with new data programmed and not durable, the first one's place in the order of completion; 0 when
  // there is none.
  std::uint64_t oldest_undurable() const {
    const PageProgram* const first = saving_ ? oldest_ : oldest_new_;
    return first == nullptr ? 0 : first->acknowledged;
  }
  std::uint64_t latest_programmed() const { return programmed_; }
  // Whether new data that were reported as programmed could not be written once more, and will never be durable.
  bool lost_new_data() const { return lost_new_data_; }
  // Pages that are programmed and wait for their wordline.
  std::uint64_t undurable_pages() const { return undurable_; }

  std::uint8_t reserve_stream() const { return settings_.streams.reserve; }
  std::uint8_t lasting_stream() const { return settings_.streams.lasting; }
  // Pages on their way to the plane.
  std::uint32_t backlog(PlaneId plane) const { return backlog_[plane.value]; }
  // Whether a page of new units of the stream is being filled on that plane.
  bool filling(std::uint8_t stream, PlaneId plane) const {
    return filling_[filling_index(stream, plane)].pages[0] != nullptr;
  }
  // Units moved out of the plane that are in pages which are not full.
  std::uint32_t partial_moves(PlaneId source) const { return partial_moves_[source.value]; }
  // These pages go their way.
  void close_moved_pages(PlaneId source);
  // Groups of pages that wait for more data.
  std::size_t open_groups() const { return frontier_->open_groups(); }

  std::uint64_t programmed_pages() const { return placed_; }
  std::uint64_t added_pages() const { return frontier_->added_pages(); }
  std::uint64_t padding_pages() const { return padding_; }
  // Pages with what the host wrote, and units that pages with data had room for and did not get.
  std::uint64_t host_pages() const { return host_pages_; }
  std::uint64_t unfilled_units() const { return unfilled_; }
  std::uint64_t failed_programs() const { return failed_; }

  // Says what is programmed and not durable, or has no place (page_writer_waiting.cpp).
  void list_waiting(std::ostream& out) const;

  // How far a member of an open block is written.
  std::uint32_t programmed_rows(BlockId block, std::uint32_t member) const {
    return frontier_->programmed_rows(block, member);
  }
  // Which blocks are being written; all that was programmed must be durable.
  void persist(Archive& archive);
  void persist_counters(Archive& archive) {
    archive(placed_, padding_, host_pages_, unfilled_, failed_);
    frontier_->persist_counters(archive);
  }

 private:
  // Of a stream, on its way to a plane of the mapping.
  struct Filling {
    std::array<PageProgram*, 2> pages{};  // of new units, of moved ones
    Tick until = 0;                       // of new ones
  };

  // Where pages go whose own plane has no free block.
  struct Refuge {
    PlaneId plane;
    std::uint8_t stream = 0;
  };

  WriteLane& lane(std::uint8_t stream, PlaneId plane) override {
    return lanes_[std::size_t{stream} * planes_ + plane.value];
  }
  const WriteLane& lane(std::uint8_t stream, PlaneId plane) const {
    return lanes_[std::size_t{stream} * planes_ + plane.value];
  }
  std::uint32_t& on_their_way(const PageProgram& page) {
    WriteLane& to = lane(page.write_stream, page.plane);
    return page.is_padding() ? to.padding : to.on_their_way[page.moves_data()];
  }
  std::size_t filling_index(std::uint8_t stream, PlaneId plane) const {
    return std::size_t{stream} * io_.layout().mapping().planes() + plane.value;
  }
  PlaneId mapping_plane(const PageProgram& page) const { return io_.layout().mapping_plane(page.plane); }
  bool has_room(const PageProgram& page) const {
    return room_.with_room(mapping_plane(page), page.moves_data()) == mapping_plane(page);
  }
  bool has_block(const PageProgram& page) const { return frontier_->has_block(page.write_stream, page.plane); }
  Placement find_page(PageProgram& page, Tick now);
  void drop_padding(PageProgram& padding) override;
  void leave_way(const PageProgram& page) override;
  void fill_up(std::uint8_t stream, PlaneId flash_plane) override;
  PageProgram& make_page(PageOrigin origin, std::uint8_t stream, PlaneId plane);
  Placement wait_or_withdraw(const PageProgram& page);
  bool may_take_in(std::uint8_t stream, PlaneId plane) const;
  Refuge refuge(const PageProgram& page) const;
  bool has_place_again(const PageProgram& page) const;
  void find_place(PageProgram& page, Tick now);
  void starve();
  void look_for_progress(std::uint64_t placed_before);
  bool may_take_block(const PageProgram& page) const;
  void give_up(PageProgram& page, Tick now);
  void close(PageProgram& page);
  // A unit that moves, where a page holds several.
  bool is_moved_part(const UnitWrite& unit) const {
    return units_per_page_ > 1 && unit.access == nullptr && unit.source.valid();
  }
  PlaneId source_plane(const UnitWrite& unit) const {
    return io_.layout().mapping().plane_of(io_.layout().block_of(unit.source));
  }
  void coalescing_ended(std::uint64_t index);
  bool ends_wordline(const PageProgram& page) const;
  void wordline_durable(WriteLane& lane, Tick now) override;
  void place_again(PageProgram& page, Tick now) override;
  void rewrite_wordline(WriteLane& lane, BlockId block, Tick now) override;
  void give_up_block(BlockId block, std::uint32_t pins, Tick now) override;
  void pad(std::uint8_t stream, PlaneId flash_plane);

  bool refused(const PageProgram& page) const;

  bool is_new(const PageProgram& page) const { return page.new_data || saving_; }
  void link(PageProgram& page);
  void unlink(PageProgram& page);

  FlashIo& io_;
  BlockTable& blocks_;
  FlashScheduler& scheduler_;
  BlockPins& pins_;
  PlaneRoom& room_;
  UnitWrites& units_;
  Calendar& calendar_;
  BlockSupply* supply_ = nullptr;
  WriteListener* listener_ = nullptr;
  const std::uint32_t planes_;
  const std::uint32_t units_per_page_;
  const std::uint32_t pages_per_block_;  // of the flash
  const std::uint32_t pages_per_wordline_;
  const WriterSettings settings_;
  PagePool pages_;
  std::vector<Filling> filling_;
  std::vector<WriteLane> lanes_;
  // By plane of the flash: whether the first of the waiting pages found no place when it was last asked for; of the
  // host, and of those that move data.
  std::vector<std::array<bool, 2>> blocked_;
  const std::unique_ptr<WriteFrontier> frontier_;
  std::vector<std::uint32_t> backlog_;        // by plane of the mapping: pages that are not programmed yet
  std::vector<std::uint32_t> partial_moves_;  // likewise
  PageProgram* oldest_ = nullptr;
  PageProgram* latest_ = nullptr;
  PageProgram* oldest_new_ = nullptr;  // with new data
  std::uint64_t programmed_ = 0;
  std::uint64_t wanted_ = 0;  // pages up to that one, in the order of completion, are to become durable
  std::uint64_t undurable_ = 0;
  std::uint64_t placed_ = 0;
  std::uint64_t padding_ = 0;
  std::uint64_t host_pages_ = 0;
  std::uint64_t unfilled_ = 0;
  std::uint64_t failed_ = 0;
  bool saving_ = false;
  bool lost_new_data_ = false;
  bool starving_ = false;
  PageQueue homeless_;  // moved pages for which there is no free block on any plane
};

}  // namespace nandscape

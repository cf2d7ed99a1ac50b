// SPDX-License-Identifier: Apache-2.0
// Writes pages to the flash. Each stream of writes has an open block on each plane, or a superblock on several planes,
// as its write frontier chooses. A page passes these stages:
//
//   assemble  PageAssembly fills it with units
//   gather    if the content of both pages of its wordline decides how they are written (WordlinePairs)
//   encode    by the ECC engine of its channel
//   place     when the scheduler sends it: it gets the next page of its stream's open block
//   program
//   durable   when all pages of its wordline are programmed. Until then the data are only in the die's latches, and the
//             page keeps its buffer here, since a failed program loses the whole wordline.
//
// A page whose program has failed is placed again, with the other pages of its wordline, and its block is reported.
#pragma once

#include <array>
#include <cstdint>
#include <iosfwd>
#include <memory>
#include <optional>
#include <vector>

#include "controller/flash_ops/flash_io.h"
#include "controller/mapping/allocation_order.h"
#include "controller/mapping/block_pins.h"
#include "controller/mapping/block_table.h"
#include "controller/mapping/page_tag.h"
#include "controller/mapping/plane_room.h"
#include "controller/writing/block_supply.h"
#include "controller/writing/code_choice.h"
#include "controller/writing/displaced_pages.h"
#include "controller/writing/frontier_context.h"
#include "controller/writing/page_assembly.h"
#include "controller/writing/page_program.h"
#include "controller/writing/undurable_pages.h"
#include "controller/writing/unit_write.h"
#include "controller/writing/unit_writes.h"
#include "controller/writing/wordline_pairs.h"
#include "controller/writing/write_frontier.h"
#include "controller/writing/write_mode.h"
#include "controller/writing/write_streams.h"
#include "controller/writing/writer_counters.h"
#include "core/archive.h"
#include "core/calendar.h"

namespace nandscape::controller {

struct WriterSettings {
  WriteStreams streams;
  FrontierFactory make_frontier;
  FreeBlockOrder free_block = FreeBlockOrder::fifo;
  WriteModePolicy* write_mode = nullptr;  // null: all pages are written alike
  bool holds_back = false;                // blocks with older versions are kept until newer ones are durable
  CodeChooser* codes = nullptr;           // null: all pages use the ordinary code
  Tick wordline_wait = 0;                 // how long a page waits for the other page of its wordline
};

// Is notified of the progress of pages.
class WriteListener {
 public:
  // Pages have become durable, or will never be.
  virtual void page_durable(Tick now) = 0;
  // No plane can be collected: from now on no plane has room.
  virtual void no_place_left(Tick now) = 0;
  // A program has ended; for observers of dies.
  virtual void program_ended(const PageProgram& page, Tick now) = 0;

 protected:
  ~WriteListener() = default;
};

class PageWriter final : public PageProgramOwner,
                         public PageAssembly::Client,
                         private FrontierHost,
                         private DisplacedPages::Client,
                         private WordlinePairs::Client {
 public:
  // Only moved pages of the stream `settings.streams.reserve` may take the blocks that are reserved for collection.
  PageWriter(FlashIo& io, FlashScheduler& scheduler, BlockTable& blocks, BlockPins& pins, PlaneRoom& room,
             UnitWrites& units, const PowerState& power, Calendar& calendar, const WriterSettings& settings);

  void connect(BlockSupply& supply, WriteListener& listener) {
    supply_ = &supply;
    displaced_.connect(supply);
    listener_ = &listener;
  }

  // PageAssembly::Client
  PageProgram& make_page(PageOrigin origin, std::uint8_t stream, FtlPlane plane) override;
  void assembled(PageProgram& page) override;

  // PageProgramOwner
  void encoded(PageProgram& page, Tick now) override;
  Placement place(PageProgram& page, Tick now) override;
  // The page has left its queue without a place: it is encoded again, goes to another plane, or is given up.
  void withdrawn(PageProgram& page, Tick now) override;
  // The page of the block that this page would get; all ones if that is unknown.
  std::uint32_t next_page(const PageProgram& page) const override;
  void program_ended(PageProgram& page, Tick now) override;

  // Whether new pages wait for a place on that plane.
  bool blocked(FtlPlane plane) const;
  // Whether pages wait for a free block of any plane.
  bool starving() const { return displaced_.starving(); }
  // The plane, or any plane, may have free pages now: tries pages without a place again.
  void places_changed(FtlPlane plane, Tick now);
  void places_changed_anywhere(Tick now);

  // Goes on in the stream's open block, of which `rows` rows are programmed.
  void resume_block(std::uint8_t stream, FtlPlane plane, Superblock block, std::uint32_t rows) {
    frontier_->resume(stream, plane, block, rows);
  }

  // With parity: sends pages that wait for parity on the plane, or on all planes, to the scheduler again. Their rows
  // may never be complete there, or nothing more may be written.
  void send_held(FtlPlane plane);
  void send_held();

  // Pages that wait for the other page of their wordline are written alone.
  void release_held();

  // Makes all new data that are programmed durable by padding their wordlines; with parity, completes their rows, too.
  // Pages that are written again after a failed program become durable as well.
  void complete_wordlines();
  // The same for the open block of one write point; with parity, for all planes of its superblock.
  void complete_wordline(std::uint8_t stream, FlashPlane plane);
  // The same for all pages that keep blocks of the plane from being erased.
  void complete_wordlines_for(FtlPlane plane);
  // Closes the open block: padding completes its wordline, or with parity the whole superblock.
  void close_block(Superblock block) { frontier_->close(blocks_.stream(block), blocks_.geometry().plane_of(block)); }
  const UndurablePages& undurable() const { return undurable_; }
  // Whether new data that were reported as programmed could not be written again, and will never be durable.
  bool lost_new_data() const { return lost_new_data_; }
  std::uint8_t reserve_stream() const { return settings_.streams.reserve; }
  std::uint8_t lasting_stream() const { return settings_.streams.lasting; }
  // Units that still fit into open blocks other than collection's. When the power fails, these blocks take units of any
  // plane.
  std::uint64_t open_units() const;
  // Pages that are not programmed yet, by plane.
  const IdVector<FtlPlane, std::uint32_t>& backlogs() const { return backlog_; }
  // Groups of pages that wait for more pages.
  std::size_t open_groups() const { return frontier_->open_groups(); }

  const WriterCounters& counters() const { return counters_; }
  // Pages that the frontier added, such as parity.
  std::uint64_t added_pages() const { return frontier_->added_pages(); }

  // Prints which pages are programmed and not durable, or have no place (page_writer_waiting.cpp).
  void list_waiting(std::ostream& out) const;

  // Number of rows written in a member of an open block.
  std::uint32_t programmed_rows(Superblock block, std::uint32_t member) const {
    return frontier_->programmed_rows(block, member);
  }
  // Saves or restores which blocks are open. All programmed pages must be durable.
  void persist(Archive& archive);
  void persist_counters(Archive& archive) {
    archive(counters_);
    frontier_->persist_counters(archive);
  }

 private:
  WritePoint& write_point(std::uint8_t stream, FlashPlane plane) override {
    return write_points_[std::size_t{stream} * planes_ + plane.value];
  }
  const WritePoint& write_point(std::uint8_t stream, FlashPlane plane) const {
    return write_points_[std::size_t{stream} * planes_ + plane.value];
  }
  std::uint32_t& on_their_way(const PageProgram& page) {
    WritePoint& to = write_point(page.write_stream, page.plane);
    return page.is_padding() ? to.padding : to.on_their_way[page.moves_data()];
  }
  FtlPlane mapping_plane(const PageProgram& page) const { return io_.layout().mapping_plane(page.plane); }
  bool has_room(const PageProgram& page) const {
    return room_.with_room(mapping_plane(page), page.moves_data()) == mapping_plane(page);
  }
  bool has_block(const PageProgram& page) const { return frontier_->has_block(page.write_stream, page.plane); }
  Placement find_page(PageProgram& page, Tick now);
  std::uint64_t expected_page(const PageProgram& page) const;
  Placement find_last_of_pair(PageProgram& page, Tick now);
  Placement take_place(PageProgram& page, Tick now);
  void open_block(const PageProgram& page, FtlPlane plane, Tick now);
  void set_step(PageProgram& page);
  const PageProgram* other_of_wordline(const PageProgram& page) const;
  const PageProgram* owed(const PageProgram& page) const;
  void drop_padding(PageProgram& padding) override;
  void leave_way(const PageProgram& page) override;
  void fill_up(std::uint8_t stream, FlashPlane plane) override;
  Placement wait_for_block(PageProgram& page, Tick now);
  Placement wait_or_withdraw(const PageProgram& page);
  void starve();
  bool has_place_again(const PageProgram& page) const;
  void find_place(PageProgram& page, Tick now);
  bool may_take_block(const PageProgram& page) const;
  void give_up(PageProgram& page, Tick now);
  void write_tag(PageProgram& page);
  void programmed(PageProgram& page, Tick now);
  // Account for the time of accesses that wait for the page, if the simulation measures it.
  void begin_times(PageProgram& page);
  void end_times(PageProgram& page, Tick now);
  // DisplacedPages::Client
  std::uint64_t placed_pages() const override { return counters_.programmed_pages; }
  void try_again(Tick now) override { places_changed_anywhere(now); }
  void no_place_left(Tick now) override { listener_->no_place_left(now); }
  void wordline_durable(WritePoint& point, Tick now) override;
  void place_again(PageProgram& page, Tick now) override;
  void rewrite_wordline(WritePoint& point, Superblock block, Tick now) override;
  void give_up_block(Superblock block, std::uint32_t pins, Tick now) override;
  void pad(std::uint8_t stream, FlashPlane plane);
  // WordlinePairs::Client
  void encode_alone(PageProgram& page) override;
  void encode_again(PageProgram& page) override;
  void place_settled(FlashPlane plane) override { scheduler_.places_changed(plane, calendar_.now()); }

  bool refused(const PageProgram& page) const;

  FlashIo& io_;
  BlockTable& blocks_;
  FlashScheduler& scheduler_;
  BlockPins& pins_;
  PlaneRoom& room_;
  UnitWrites& units_;
  const PowerState& power_;
  Calendar& calendar_;
  BlockSupply* supply_ = nullptr;
  WriteListener* listener_ = nullptr;
  const std::uint32_t planes_;
  const std::uint32_t units_per_page_;
  const WriterSettings settings_;
  const CodeChoice codes_;
  PagePool pages_;
  std::vector<WritePoint> write_points_;
  // By plane: whether the first waiting page found no place when it was last tried, for pages of the host and for pages
  // that move data.
  IdVector<FlashPlane, std::array<bool, 2>> blocked_;
  const std::unique_ptr<WriteFrontier> frontier_;
  IdVector<FtlPlane, std::uint32_t> backlog_;  // pages that are not programmed yet
  std::optional<WordlinePairs> pairs_;         // if choices depend on pairs and the frontier has them
  UndurablePages undurable_;
  DisplacedPages displaced_;
  WriterCounters counters_;
  bool lost_new_data_ = false;
};

}  // namespace nandscape::controller

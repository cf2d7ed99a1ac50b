// SPDX-License-Identifier: Apache-2.0
// The state that the stages of writing share: the parts of the drive that they work on, their settings, counts and
// counters.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <vector>

#include "controller/addresses/flash_layout.h"
#include "controller/ecc_selection/ecc_selection.h"
#include "controller/flash_ops/flash_io.h"
#include "controller/mapping/allocation_order.h"
#include "controller/mapping/block_table.h"
#include "controller/mapping/page_tag.h"
#include "controller/mapping/plane_room.h"
#include "controller/mapping/power_state.h"
#include "controller/writing/block_supply.h"
#include "controller/writing/page_program.h"
#include "controller/writing/unit_writes.h"
#include "controller/writing/write_mode.h"
#include "core/calendar.h"

namespace nandscape::controller {

// Numbers of the streams of writes. Each stream has a block open on each plane. The streams that the stream policy
// tells apart come first; after them are the controller's own streams.
struct WriteStreams {
  // Takes moved pages when hardly a block is left: the only stream that may use the reserved blocks. With parity, pages
  // of the host and of collection must not wait for each other to complete a row. Collection, which the host waits for,
  // then has its own stream after those of the host.
  std::uint8_t reserve = 0;
  std::uint8_t lasting = 0;   // data moved to keep them from decay, which live longest
  std::uint8_t mapping = 0;   // translation pages
  std::uint8_t gathered = 0;  // units that were gathered to be written together
  std::uint8_t count = 0;     // number of streams, including `gathered` only if units are gathered
};

// Counters of the page writer.
struct WriterCounters {
  std::uint64_t programmed_pages = 0;  // pages that got a place
  std::uint64_t padding_pages = 0;
  std::uint64_t host_pages = 0;      // pages with data of the host
  std::uint64_t unfilled_units = 0;  // unused units of pages with data
  std::uint64_t failed_programs = 0;
  std::uint64_t changed_codes = 0;  // pages encoded again because of their place
};

// State of a stream on a plane.
struct WritePoint {
  // Assembled pages without a place: host pages, then pages of moved data.
  std::array<std::uint32_t, 2> on_their_way{};
  std::uint32_t padding = 0;  // padding without a place
  // Pages up to this one must become durable. If this page is not after the next page, nothing waits.
  std::uint64_t complete_to = 0;
  // Programmed pages of the incomplete wordline.
  PageProgram* wordline = nullptr;

  std::uint32_t all_on_their_way() const { return on_their_way[false] + on_their_way[true] + padding; }
};

// The pages of each stream of writes that are on their way to each plane. All stages of writing share these counts.
class WritePoints {
 public:
  WritePoints(const FlashLayout& layout, std::uint8_t streams)
      : backlogs(layout.mapping().planes()),
        blocked(layout.flash().planes()),
        layout_(layout),
        streams_(streams),
        planes_(layout.flash().planes()),
        points_(std::size_t{streams} * planes_) {}

  std::uint8_t streams() const { return streams_; }
  std::size_t count() const { return points_.size(); }
  WritePoint& at(std::uint8_t stream, FlashPlane plane) { return points_[std::size_t{stream} * planes_ + plane.value]; }
  const WritePoint& at(std::uint8_t stream, FlashPlane plane) const {
    return points_[std::size_t{stream} * planes_ + plane.value];
  }
  WritePoint& of(const PageProgram& page) { return at(page.write_stream, page.plane); }
  // Count the page as waiting for a place at its write point, or as no longer waiting.
  void add(const PageProgram& page) { ++counter(page); }
  void remove(const PageProgram& page) { --counter(page); }

  FtlPlane mapping_plane(const PageProgram& page) const { return layout_.mapping_plane(page.plane); }
  std::uint32_t& backlog(const PageProgram& page) { return backlogs[mapping_plane(page)]; }

  // Pages of the plane that are not programmed yet.
  IdVector<FtlPlane, std::uint32_t> backlogs;
  // Whether the first waiting page found no place when it was last tried, for pages of the host and for pages that move
  // data.
  IdVector<FlashPlane, std::array<bool, 2>> blocked;

 private:
  std::uint32_t& counter(const PageProgram& page) {
    WritePoint& point = of(page);
    return page.is_padding() ? point.padding : point.on_their_way[page.moves_data()];
  }

  const FlashLayout& layout_;
  const std::uint8_t streams_;
  const std::uint32_t planes_;
  std::vector<WritePoint> points_;
};

struct WritingState;
class WriteFrontier;

using FrontierFactory = std::function<std::unique_ptr<WriteFrontier>(WritingState&)>;

struct WriterSettings {
  WriteStreams streams;
  FrontierFactory make_frontier;
  FreeBlockOrder free_block = FreeBlockOrder::fifo;
  WriteModePolicy* write_mode = nullptr;  // null: all pages are written alike
  bool holds_back = false;                // blocks with older versions are kept until newer ones are durable
  CodeChooser* codes = nullptr;           // null: all pages use the ordinary code
  Tick wordline_wait = 0;                 // how long a page waits for the other page of its wordline
};

class DurabilityListener {
 public:
  // Pages have become durable, or will never be.
  virtual void page_durable(Tick now) = 0;

 protected:
  ~DurabilityListener() = default;
};

class ProgramListener {
 public:
  // A program has ended; for observers of dies.
  virtual void program_ended(const PageProgram& page, Tick now) = 0;
  // No plane can be collected: from now on no plane has room.
  virtual void no_place_left(Tick now) = 0;

 protected:
  ~ProgramListener() = default;
};

// The parts of the drive that writing works on.
struct WritingContext {
  FlashIo& io;
  FlashScheduler& scheduler;
  BlockTable& blocks;
  BlockPins& pins;
  PlaneRoom& room;
  UnitWrites& units;
  const PowerState& power;
  Calendar& calendar;
  BlockSupply& supply;
  DurabilityListener& durability;
  ProgramListener& programs;
};

struct WritingState : WritingContext {
  WritingState(const WritingContext& context, const WriterSettings& writer_settings)
      : WritingContext(context), settings(writer_settings), points(io.layout(), settings.streams.count) {}

  const FlashLayout& layout() const { return io.layout(); }

  // The shape of `open`, the open block of the page's write point; if that is invalid, the shape of the block that
  // would be opened for the page.
  const BlockShape& shape_for(const PageProgram& page, Superblock open) const {
    if (open.valid()) return blocks.shape(open);
    if (settings.write_mode == nullptr) return blocks.shapes().ordinary();
    return blocks.shapes().of(settings.write_mode->expected_mode(points.mapping_plane(page), page.origin()));
  }

  // Gives the page the next place of an open block.
  void take_place(PageProgram& page, Superblock block, Ppa first_unit, Tick now) {
    page.block = block;
    page.ppa = first_unit;
    FlashIo::set_address(page, layout().find(first_unit));
    page.command.mode = blocks.shape(block).cells;
    set_stamp(page.command.tag, stamp_of(blocks.erase_count(block)));
    set_write_mode(page.command.tag, blocks.write_mode(block));
    blocks.append(block, now, layout().units_per_page());
  }

  // Whether the program's page is the last one of its wordline.
  bool ends_wordline(const PageProgram& page) const {
    return blocks.shape(page.block).ends_wordline(page.command.page);
  }

  const WriterSettings settings;
  WritePoints points;
  WriterCounters counters;
};

}  // namespace nandscape::controller

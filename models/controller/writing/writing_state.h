// SPDX-License-Identifier: Apache-2.0
// The state that all stages of writing share: references to the parts of the drive, the settings, the numbers of pages
// that are on their way, and the statistics.
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
#include "controller/writing/cell_mode_supply.h"
#include "controller/writing/page_program.h"
#include "controller/writing/unit_writes.h"
#include "controller/writing/write_mode.h"
#include "core/calendar.h"

namespace nandscape::controller {

// The numbers of the write streams. Each stream has an open block on each plane. The streams of the stream policy have
// the lowest numbers, followed by the controller's own streams.
struct WriteStreams {
  static constexpr std::uint8_t none = 255;
  std::uint8_t host = 0;  // number of streams for writes of the host, which have the lowest numbers
  // What is added to the stream that the policy chooses for moved data. In superblocks, these data have separate
  // streams after those of the host, because the host waits for garbage collection, so collection must not wait for
  // pages of the host to complete a row.
  std::uint8_t moved_shift = 0;
  // The stream to which moved pages are written when hardly any block is free: the last stream of the policy for moved
  // data. It is the only stream that may use the reserved blocks.
  std::uint8_t reserve = 0;
  std::uint8_t lasting = 0;    // data that were moved before they decayed, which live longest
  std::uint8_t mapping = 0;    // translation pages
  std::uint8_t gathered = 0;   // units that have been gathered to be written together
  std::uint8_t cached = none;  // data of the host that are written to the SLC cache
  std::uint8_t count = 0;      // number of streams; includes `gathered` only if units are gathered

  // In superblocks, returns whether the stream holds data that garbage collection has moved, and no others.
  bool collects(std::uint8_t stream) const { return stream >= host && stream < lasting; }
};

// Statistics of the page writer.
struct WriterCounters {
  std::uint64_t programmed_pages = 0;  // pages that have been given a location on flash
  std::uint64_t padding_pages = 0;
  std::uint64_t host_pages = 0;      // pages with data written by the host
  std::uint64_t unfilled_units = 0;  // units left empty in pages with data
  std::uint64_t failed_programs = 0;
  // Pages that were encoded again, because their code was not allowed at their location.
  std::uint64_t changed_codes = 0;
};

// The state of one stream on one plane.
struct WritePoint {
  // The number of assembled pages that have not been placed yet: index 0 for pages with new data, index 1 for pages
  // with moved data.
  std::array<std::uint32_t, 2> on_their_way{};
  std::uint32_t padding = 0;  // number of padding pages that have not been placed yet
  // Number of the page before which all pages must become durable. If the next page has this number or a higher one, no
  // padding is needed.
  std::uint64_t complete_to = 0;
  // The programmed pages of the incomplete wordline, as a linked list.
  PageProgram* wordline = nullptr;
  // With two passes (second_passes.h): the pages of the previous wordline, which has had its first pass.
  PageProgram* first_passed = nullptr;
  // The pages of the wordline before it whose second pass has ended, and the number of its pages that are not sent yet.
  PageProgram* second_passed = nullptr;
  std::uint32_t again_to_send = 0;
  // The block whose pages must be programmed again before the next page of the write point can be placed.
  Superblock programs_again;

  // Returns whether pages are programmed but become durable only when more pages are programmed.
  bool incomplete() const { return wordline != nullptr || first_passed != nullptr; }
  std::uint32_t all_on_their_way() const { return on_their_way[false] + on_their_way[true] + padding; }
};

// Counts, for each stream and each plane, the pages that have not been written yet. All stages of writing use these
// counts.
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
  // Count the page as waiting to be placed at its write point (add), or as no longer waiting (remove).
  void add(const PageProgram& page) { ++counter(page); }
  void remove(const PageProgram& page) { --counter(page); }

  FtlPlane mapping_plane(const PageProgram& page) const { return layout_.mapping_plane(page.plane); }
  std::uint32_t& backlog(const PageProgram& page) { return backlogs[mapping_plane(page)]; }

  // For each plane of the mapping, the number of pages that have not been programmed yet.
  IdVector<FtlPlane, std::uint32_t> backlogs;
  // For each plane of the flash, whether the first page in the queue could not be placed when it was last tried. Index
  // 0 is for pages with new data, index 1 for pages with moved data.
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
  CellModeSupply* cache = nullptr;        // gives blocks to the stream `cached`; null if there is no SLC cache
  WriteModePolicy* write_mode = nullptr;  // null if all pages are programmed with the default step
  // Blocks with older versions of data are not erased before the newer versions are durable.
  bool holds_back = false;
  CodeChooser* codes = nullptr;  // null if all pages use the ordinary code
  bool two_passes = false;       // wordlines of ordinary blocks are programmed in two passes
  Tick wordline_wait = 0;        // longest time for which a page waits for the other page of its wordline
};

class DurabilityListener {
 public:
  // Called when pages have become durable, or will never become durable.
  virtual void page_durable(Tick now) = 0;

 protected:
  ~DurabilityListener() = default;
};

class ProgramListener {
 public:
  // Called when a program has ended, whether it has passed or failed.
  virtual void program_ended(const PageProgram& page, Tick now) = 0;
  // Called when garbage collection can no longer free a block on any plane. From now on, no plane has room.
  virtual void no_place_left(Tick now) = 0;

 protected:
  ~ProgramListener() = default;
};

// References to the parts of the drive that the stages of writing use.
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

  // Returns the shape of the block `open`, which is the open block of the page's write point. If `open` is invalid,
  // returns the shape of the block that would be opened for the page.
  const BlockShape& shape_for(const PageProgram& page, Superblock open) const {
    if (open.valid()) return blocks.shape(open);
    if (page.write_stream == settings.streams.cached) return blocks.shapes().of(settings.cache->mode());
    if (settings.write_mode == nullptr) return blocks.shapes().ordinary();
    return blocks.shapes().of(settings.write_mode->expected_mode(points.mapping_plane(page), page.origin()));
  }

  // Assigns the page to page `row` of the member, which must be the next page of the open block `block`.
  void take_place(PageProgram& page, Superblock block, std::uint32_t row, std::uint32_t member, Tick now) {
    page.block = block;
    page.ppa = layout().first_unit(block, row, member);
    FlashIo::set_address(page, layout().find(block, row, member));
    page.command.mode = blocks.shape(block).cells;
    set_stamp(page.command.tag, stamp_of(blocks.erase_count(block)));
    set_write_mode(page.command.tag, blocks.write_mode(block));
    blocks.append(block, now, layout().units_per_page());
  }

  // Returns whether the page is the last page of its wordline.
  bool ends_wordline(const PageProgram& page) const {
    return blocks.shape(page.block).ends_wordline(page.command.page);
  }

  // Returns the number of rows of the open block `block` that must be programmed before the programmed pages of the
  // write point are durable. `next` is its next row.
  std::uint32_t durable_from(std::uint8_t stream, FlashPlane plane, Superblock block, std::uint32_t next) const {
    const BlockShape& shape = blocks.shape(block);
    if (shape.passes == 1) return shape.up_to_durable(next);
    // The next page may already belong to a later wordline than the last programmed one.
    const WritePoint& point = points.at(stream, plane);
    const PageProgram* const latest = point.wordline != nullptr ? point.wordline : point.first_passed;
    if (latest == nullptr || latest->block != block) return next;
    return shape.up_to_durable(latest->command.page + 1);
  }

  const WriterSettings settings;
  WritePoints points;
  WriterCounters counters;
};

}  // namespace nandscape::controller

// SPDX-License-Identifier: Apache-2.0
// Chooses the next page of the flash for each stream of writes on each plane. Also keeps pages of a group together, and
// completes wordlines so that their pages become durable. The page writer knows frontiers only through this interface.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <iosfwd>
#include <optional>
#include <vector>

#include "controller/flash_ops/flash_io.h"
#include "controller/mapping/block_table.h"
#include "controller/writing/page_program.h"
#include "core/archive.h"

namespace nandscape::controller {

// State of a stream on a plane, as far as all frontiers share it.
struct WritePoint {
  // Assembled pages that have no place yet: of the host, and those that move data.
  std::array<std::uint32_t, 2> on_their_way{};
  std::uint32_t padding = 0;  // padding without a place
  // Pages up to this one are wanted durable. If it is not behind the next page, nothing waits.
  std::uint64_t complete_to = 0;
  // Programmed pages of the wordline that is not complete.
  PageProgram* wordline = nullptr;

  std::uint32_t all_on_their_way() const { return on_their_way[false] + on_their_way[true] + padding; }
};

// The page writer, as its frontier sees it.
class FrontierHost {
 public:
  virtual WritePoint& write_point(std::uint8_t stream, FlashPlane plane) = 0;
  // Pads until `complete_to` of the write point, not counting pages that wait for a place there.
  virtual void fill_up(std::uint8_t stream, FlashPlane plane) = 0;
  // Sends the page to the scheduler again, to get another place.
  virtual void place_again(PageProgram& page, Tick now) = 0;
  virtual void drop_padding(PageProgram& padding) = 0;
  // The programmed pages of the write point's wordline are lost if they are in that block, and are written elsewhere.
  virtual void rewrite_wordline(WritePoint& point, Superblock block, Tick now) = 0;
  // The write point's wordline is complete.
  virtual void wordline_durable(WritePoint& point, Tick now) = 0;
  // A program in the block has failed: collection empties the block, and `pins` pins of the block are undone.
  virtual void give_up_block(Superblock block, std::uint32_t pins, Tick now) = 0;
  // Removes the page from its write point.
  virtual void leave_way(const PageProgram& page) = 0;

 protected:
  ~FrontierHost() = default;
};

class WriteFrontier {
 public:
  virtual ~WriteFrontier() = default;

  void connect(FrontierHost& host) { host_ = &host; }

  // --- places

  // Chooses the plane of the flash for a page that is complete, or that needs another place, among those of its plane
  // of the mapping.
  virtual void assign(PageProgram& /*page*/) {}
  // Padding goes to the given plane.
  virtual void assign_padding(PageProgram& /*padding*/, FlashPlane /*plane*/) {}
  // Whether a block is open for the next page of the stream on that plane.
  virtual bool has_block(std::uint8_t stream, FlashPlane plane) const = 0;
  // Whether the next page that is assigned to the stream on the plane of the mapping has a place in an open block.
  virtual bool has_room(std::uint8_t stream, FtlPlane plane) const = 0;
  // Pages that the open blocks of all planes still take from any plane. Blocks of the reserve and of streams behind the
  // lasting one do not count. 0 if pages belong together.
  virtual std::uint64_t open_to_all() const { return 0; }
  // Opens a block that was taken for the page.
  virtual void open(const PageProgram& page, FtlPlane plane, Superblock block) = 0;
  // The stream's open block takes only the pages that it needs to be complete; padding supplies them.
  virtual void close(std::uint8_t stream, FtlPlane plane) = 0;
  // Gives the page its place in the open block.
  virtual void place(PageProgram& page, Tick now) = 0;
  // The page of the block that this page would get, if that is known. `may_open`: a block would be opened for the page.
  virtual std::optional<std::uint32_t> next_page(const PageProgram& page, bool may_open) const = 0;

  // --- groups of pages

  // Whether placed pages wait for others of their group. Moved pages then stay on their plane as long as it takes them.
  virtual bool keeps_pages_together() const { return false; }
  // Whether the two pages of a wordline may follow each other, whatever they hold.
  virtual bool has_wordlines_for_pairs() const { return false; }
  // Whether the next place is for a page that the frontier adds: the page must wait.
  virtual bool stands_aside(const PageProgram& /*page*/) const { return false; }
  // Whether the page's group goes on elsewhere or was given up. The page then leaves the group and is written like any
  // other.
  virtual bool stands_alone(const PageProgram& /*page*/) const { return false; }
  virtual void leave_group(PageProgram& /*page*/) const {}
  // Marks the group in the page's tag.
  virtual void mark(PageProgram& /*page*/) const {}
  // The page was withdrawn, and is not to be given up. Returns whether the frontier keeps it or sends it elsewhere.
  virtual bool takes_withdrawn(PageProgram& /*page*/, Tick /*now*/) { return false; }
  // A page has left the write point, and others take its place.
  virtual void left(std::uint8_t /*stream*/, FlashPlane /*plane*/) {}
  // Sends held pages to the scheduler again, since the pages that they wait for may never come.
  virtual void send_held(FtlPlane /*plane*/) {}

  // --- pages that the frontier adds

  virtual bool place_added(PageProgram& /*page*/) { return false; }
  virtual void added_withdrawn(PageProgram& /*page*/, Tick /*now*/) {}
  virtual void added_programmed(PageProgram& /*page*/, Tick /*now*/) {}
  virtual std::uint64_t added_pages() const { return 0; }
  virtual std::size_t open_groups() const { return 0; }

  // --- durability

  // The next page of the write point, counted from its first page.
  virtual std::uint64_t next(std::uint8_t stream, FlashPlane plane) const = 0;
  // Pages that the write point lacks before `end`, except those that the frontier adds.
  virtual std::uint64_t missing(std::uint8_t stream, FlashPlane plane, std::uint64_t end) const = 0;
  // Whether the wordline or row that the padding would complete is still incomplete.
  virtual bool padding_needed(const PageProgram& padding) const = 0;
  // Makes the programmed pages of the write point durable.
  virtual void complete(std::uint8_t stream, FlashPlane plane) = 0;
  // The same for all pages that wait in incomplete groups. `all`: of the reserve stream, too.
  virtual void complete_groups(bool /*all*/) {}
  // Whether padding of the stream must not wait for collection, in case that has no block to spare.
  virtual bool pads_with_reserve(std::uint8_t stream, bool host_may_take_block) const = 0;
  // The program of the page, or of another one in its block, has failed.
  virtual void failed(PageProgram& page, Tick now) = 0;

  // --- after a loss of power, and for checkpoints

  // Goes on in an open block of the stream, of which `rows` rows are programmed.
  virtual void resume(std::uint8_t stream, FtlPlane plane, Superblock block, std::uint32_t rows) = 0;
  // Number of rows written in a member of an open block.
  virtual std::uint32_t programmed_rows(Superblock block, std::uint32_t member) const = 0;
  // Saves or restores which blocks are open. No page may be on its way to them.
  virtual void persist(Archive& archive) = 0;
  virtual void persist_counters(Archive& /*archive*/) {}
  virtual bool writes_to(std::uint8_t stream, Superblock block) const = 0;
  // Whether it writes to `open_blocks` blocks, which is the number of all open blocks.
  virtual bool writes_to_all(std::size_t open_blocks) const = 0;
  virtual void list_waiting(std::ostream& /*out*/) const {}
  // Prints the block and page of the write point, for reports.
  virtual void list_write_point(std::uint8_t /*stream*/, FlashPlane /*plane*/, std::ostream& /*out*/) const {}

 protected:
  FrontierHost& host() { return *host_; }

 private:
  FrontierHost* host_ = nullptr;
};

}  // namespace nandscape::controller

// SPDX-License-Identifier: Apache-2.0
// Which page of the flash comes next for each stream of writes on each plane, which pages go together, and what is to
// be done so that all of a wordline becomes durable. The page writer knows none of them by name.
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

// What a stream writes to on a plane, as far as that is alike for all frontiers.
struct WritePoint {
  // Pages that are closed and have no place yet: of the host, and those that move data.
  std::array<std::uint32_t, 2> on_their_way{};
  std::uint32_t padding = 0;  // likewise
  // Somebody waits until all pages up to that one are written. It is behind the next one only as long as that is so.
  std::uint64_t complete_to = 0;
  // Programmed pages of the wordline that is not complete.
  PageProgram* wordline = nullptr;

  std::uint32_t all_on_their_way() const { return on_their_way[false] + on_their_way[true] + padding; }
};

// The page writer, for its frontier.
class FrontierHost {
 public:
  virtual WritePoint& write_point(std::uint8_t stream, FlashPlane plane) = 0;
  // Pads as many pages as are missing up to the write point's `complete_to`, beyond those that are on their way.
  virtual void fill_up(std::uint8_t stream, FlashPlane plane) = 0;
  // The page goes to the scheduler once more, to get another place.
  virtual void place_again(PageProgram& page, Tick now) = 0;
  virtual void drop_padding(PageProgram& padding) = 0;
  // What was programmed of the write point's wordline is lost if it lies in that block, and is written elsewhere.
  virtual void rewrite_wordline(WritePoint& point, Superblock block, Tick now) = 0;
  // The write point's wordline is complete.
  virtual void wordline_durable(WritePoint& point, Tick now) = 0;
  // A program in the block has failed, and so many pins of it are to be undone.
  virtual void give_up_block(Superblock block, std::uint32_t pins, Tick now) = 0;
  // The page is taken out of its write point.
  virtual void leave_way(const PageProgram& page) = 0;

 protected:
  ~FrontierHost() = default;
};

class WriteFrontier {
 public:
  virtual ~WriteFrontier() = default;

  void connect(FrontierHost& host) { host_ = &host; }

  // --- where pages go

  // The page is closed, or is to get another place: which plane of the flash it goes to, of those of its plane of the
  // mapping.
  virtual void assign(PageProgram& /*page*/) {}
  // Padding goes to a plane of its own choice.
  virtual void assign_padding(PageProgram& /*padding*/, FlashPlane /*plane*/) {}
  // Whether a block is open for the next page of the stream on that plane.
  virtual bool has_block(std::uint8_t stream, FlashPlane plane) const = 0;
  // Likewise, for one of the pages of the stream.
  virtual bool has_room(std::uint8_t stream, FtlPlane plane) const = 0;
  // How many pages the open blocks of all planes still take, but for those of the reserve and of streams behind the
  // lasting one, wherever the pages come from; none where pages belong together.
  virtual std::uint64_t open_to_all() const { return 0; }
  // A block was taken for the page.
  virtual void open(const PageProgram& page, FtlPlane plane, Superblock block) = 0;
  // The block that is open for the stream takes no more pages than it needs to be complete, for which padding comes.
  virtual void close(std::uint8_t stream, FtlPlane plane) = 0;
  // Gives the page its place in the open block.
  virtual void place(PageProgram& page, Tick now) = 0;
  // The page of the block that it would get, if that is known. `may_open`: a block would be opened for it.
  virtual std::optional<std::uint32_t> next_page(const PageProgram& page, bool may_open) const = 0;

  // --- pages that go together, or not

  // Pages that are placed wait for others of theirs: moved ones do not leave their plane while it takes them.
  virtual bool keeps_pages_together() const { return false; }
  // The two pages of a wordline may come one right after the other, whatever they hold.
  virtual bool has_wordlines_for_pairs() const { return false; }
  // The page cannot have the next place, which is for one that the frontier adds: it stands aside.
  virtual bool stands_aside(const PageProgram& /*page*/) const { return false; }
  // The page's group goes on elsewhere, or was given up: it leaves it, and goes as any other.
  virtual bool stands_alone(const PageProgram& /*page*/) const { return false; }
  virtual void leave_group(PageProgram& /*page*/) const {}
  // What the tag of a page says of its group.
  virtual void mark(PageProgram& /*page*/) const {}
  // The page was withdrawn, and is not to be given up: whether the frontier keeps it, or sends it elsewhere.
  virtual bool takes_withdrawn(PageProgram& /*page*/, Tick /*now*/) { return false; }
  // The page has left the write point, and others take its place.
  virtual void left(std::uint8_t /*stream*/, FlashPlane /*plane*/) {}
  // What waits for pages of its own is looked at again, since they may never come.
  virtual void send_held(FtlPlane /*plane*/) {}

  // --- pages that the frontier adds

  virtual bool place_added(PageProgram& /*page*/) { return false; }
  virtual void added_withdrawn(PageProgram& /*page*/, Tick /*now*/) {}
  virtual void added_programmed(PageProgram& /*page*/, Tick /*now*/) {}
  virtual std::uint64_t added_pages() const { return 0; }
  virtual std::size_t open_groups() const { return 0; }

  // --- until all is durable

  // The next page of the write point, counted from its first one on.
  virtual std::uint64_t next(std::uint8_t stream, FlashPlane plane) const = 0;
  // How many pages the write point lacks up to that one, but for those that the frontier adds.
  virtual std::uint64_t missing(std::uint8_t stream, FlashPlane plane, std::uint64_t end) const = 0;
  // What the write point's padding would complete is not complete yet.
  virtual bool padding_needed(const PageProgram& padding) const = 0;
  // Makes what is programmed of the write point durable.
  virtual void complete(std::uint8_t stream, FlashPlane plane) = 0;
  // Likewise, what waits for it without having been programmed. `all`: of the reserve, too.
  virtual void complete_groups(bool /*all*/) {}
  // Whether padding of that stream must not wait for collection, wherever that has no block to spare.
  virtual bool pads_with_reserve(std::uint8_t stream, bool host_may_take_block) const = 0;
  // The page's program has failed, or that of another in its block.
  virtual void failed(PageProgram& page, Tick now) = 0;

  // --- after a loss of power, and for checkpoints

  // The open block of that stream, of which so many rows are programmed.
  virtual void resume(std::uint8_t stream, FtlPlane plane, Superblock block, std::uint32_t rows) = 0;
  // How far a member of an open block is written.
  virtual std::uint32_t programmed_rows(Superblock block, std::uint32_t member) const = 0;
  // Which blocks are being written; no page is on its way.
  virtual void persist(Archive& archive) = 0;
  virtual void persist_counters(Archive& /*archive*/) {}
  virtual bool writes_to(std::uint8_t stream, Superblock block) const = 0;
  // Whether it writes to so many blocks, which are all that are open.
  virtual bool writes_to_all(std::size_t open_blocks) const = 0;
  virtual void list_waiting(std::ostream& /*out*/) const {}
  // What the write point writes to, for reports.
  virtual void list_write_point(std::uint8_t /*stream*/, FlashPlane /*plane*/, std::ostream& /*out*/) const {}

 protected:
  FrontierHost& host() { return *host_; }

 private:
  FrontierHost* host_ = nullptr;
};

}  // namespace nandscape::controller

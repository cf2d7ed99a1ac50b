// SPDX-License-Identifier: Apache-2.0
// Places pages in stripe sets, in which each row holds a page of parity (see addresses/flash_layout.h). Each stream of
// writes fills superblocks of each stripe set in the order in which it takes them, row after row:
//
//   assign   a complete page goes to the member that has the fewest rows so far: rows fill evenly
//   place    when the scheduler sends the page: it gets the next row of its member
//   hold     if that row of the member holds parity, the page waits here until the parity is sent
//   parity   the sum of the row's pages as sent to flash, complete when the last of them has its place. It is sent when
//            its member has reached the row, before all pages that wait there
//
// A member may be some rows ahead of another, but never beyond a row whose parity it holds and which is not complete.
#pragma once

#include <cstdint>
#include <deque>
#include <iosfwd>
#include <vector>

#include "controller/flash_ops/flash_io.h"
#include "controller/mapping/block_table.h"
#include "controller/writing/page_program.h"
#include "core/archive.h"
#include "core/calendar.h"

namespace nandscape::controller {

class StripeWriter {
 public:
  StripeWriter(FlashIo& io, PagePool& pages, BlockTable& blocks, Calendar& calendar, std::uint32_t streams);

  // Returns the plane of the flash for the stream's next page.
  FlashPlane assign(std::uint8_t stream, FtlPlane set);
  // Assigns a page to that plane.
  void assign_to(std::uint8_t stream, FlashPlane flash_plane);
  // Corrects the assignment after pages were taken away: `pages` pages assigned to the plane have no place yet.
  void assigned_again(std::uint8_t stream, FlashPlane flash_plane, std::uint32_t pages);
  // The first row with a page that is not assigned. Row numbers continue through the stream's superblocks.
  std::uint64_t first_unassigned(std::uint8_t stream, FtlPlane set) const;
  std::uint64_t next_row(std::uint8_t stream, FlashPlane flash_plane) const { return member(stream, flash_plane).next; }
  // Data pages that the plane lacks before row `end`.
  std::uint64_t data_rows(std::uint8_t stream, FlashPlane flash_plane, std::uint64_t end) const;

  bool at_parity(std::uint8_t stream, FlashPlane flash_plane) const { return at_parity(member(stream, flash_plane)); }
  // The superblock that the plane writes next, or an invalid id when it has not been taken yet.
  Superblock block(std::uint8_t stream, FlashPlane flash_plane) const;
  void taken(std::uint8_t stream, FtlPlane set, Superblock block);
  // Whether the page that is assigned next has a place in a superblock that was taken.
  bool has_room(std::uint8_t stream, FtlPlane set) const;
  // Goes on in a superblock of which all members have `rows` programmed rows. Nothing may have been written to the
  // stripe set by the stream before.
  void resume(std::uint8_t stream, FtlPlane set, Superblock block, std::uint32_t rows);

  // Gives the page its place. Its superblock must have been taken, and its row must not hold parity.
  void place(PageProgram& page, Tick now);
  // The same for a page of parity; false if its superblock has failed meanwhile.
  bool place_parity(PageProgram& parity);
  // Sends held pages to the scheduler again.
  void send_held(std::uint8_t stream, FtlPlane set);
  void hold(PageProgram& page) { member(page.write_stream, page.plane).held.push(page); }

  // Gives up the superblock: it is not written any further. Returns how many pins of it the caller has to undo.
  std::uint32_t give_up(std::uint8_t stream, FtlPlane set, Superblock block);

  // Rows that lack pages for their parity.
  std::size_t open_rows() const { return open_rows_; }
  bool has_open_rows(std::uint8_t stream, FtlPlane set) const { return !stripe(stream, set).rows.empty(); }
  std::uint64_t parity_pages() const { return parity_pages_; }

  // Prints which rows and pages wait for other pages.
  void list_waiting(std::ostream& out) const;

  bool writes_to(std::uint8_t stream, FtlPlane set, Superblock block) const {
    const std::deque<Superblock>& blocks = stripe(stream, set).blocks;
    return !blocks.empty() && blocks.front() == block;
  }
  // Saves or restores the next rows. No row may be open, and no page on its way.
  void persist(Archive& archive);
  void persist_counters(Archive& archive) { archive(parity_pages_); }

 private:
  // An open row. Its superblock stays pinned until the parity is programmed.
  struct Row {
    std::uint64_t number;
    std::uint32_t missing;
    PageProgram* parity;
  };
  struct Stripe {
    std::uint64_t first = 0;  // number of blocks.front(), counted in the order of taking
    std::deque<Superblock> blocks;
    std::vector<Row> rows;
  };
  struct Member {
    std::uint32_t position = 0;  // in the row
    std::uint64_t next = 0;      // row to be written next
    std::uint64_t assigned = 0;  // row for the next page to assign; it holds no parity
    PageQueue held;
  };

  std::size_t stripe_index(std::uint8_t stream, FtlPlane set) const { return std::size_t{stream} * sets_ + set.value; }
  Stripe& stripe(std::uint8_t stream, FtlPlane set) { return stripes_[stripe_index(stream, set)]; }
  const Stripe& stripe(std::uint8_t stream, FtlPlane set) const { return stripes_[stripe_index(stream, set)]; }
  Member* members_of(std::uint8_t stream, FtlPlane set) { return &members_[stripe_index(stream, set) * width_]; }
  const Member* members_of(std::uint8_t stream, FtlPlane set) const {
    return &members_[stripe_index(stream, set) * width_];
  }
  Member& member(std::uint8_t stream, FlashPlane flash_plane);
  const Member& member(std::uint8_t stream, FlashPlane flash_plane) const;
  bool is_parity(std::uint64_t row, std::uint32_t position) const;
  bool at_parity(const Member& m) const { return is_parity(m.next, m.position); }
  std::uint64_t data_row(std::uint64_t row, std::uint32_t position) const;
  void stand_at(Stripe& stripe, Member* members, std::uint64_t next, Superblock block);
  Row& open_row(const PageProgram& page, Stripe& stripe, std::uint64_t number);
  void advance(Stripe& stripe, Member* members, Member& m);
  void send_parity(Stripe& stripe, std::uint64_t number);
  void send_held(Member& m);
  void send_later(PageQueue& queue, PageProgram& page);
  void send(std::uint64_t);

  FlashIo& io_;
  PagePool& pages_;
  BlockTable& blocks_;
  Calendar& calendar_;
  const std::uint32_t width_;
  const std::uint32_t sets_;
  const Divisor rows_per_block_;
  std::vector<Stripe> stripes_;
  std::vector<Member> members_;
  // Pages for the scheduler. They are sent by an event of their own, since pages get their places in the middle of the
  // scheduler's choice.
  PageQueue parity_to_send_;
  PageQueue data_to_send_;
  bool sending_ = false;
  std::size_t open_rows_ = 0;
  std::uint64_t parity_pages_ = 0;
};

}  // namespace nandscape::controller

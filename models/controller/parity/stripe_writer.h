// SPDX-License-Identifier: Apache-2.0
// Where pages go when rows of a stripe set hold parity (see addresses/flash_layout.h). Each stream of writes fills
// superblocks of each stripe set in the order in which it takes them, and their rows one after the other:
//
//   assign   a closed page goes to the member that has the fewest rows so far: rows fill evenly
//   place    when the scheduler sends it: the next row of that member
//   hold     a page whose member's next row holds parity waits here until the parity was sent
//   parity   the sum of the row's pages as they go to flash, once the last of them has its place; it is sent when its
//            member has come to that row, before all that waits there
//
// A member may be some rows ahead of another, but never beyond a row of its own that holds parity and is not complete.
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

  // The plane of the flash that the stream's next page goes to.
  FlashPlane assign(std::uint8_t stream, FtlPlane set);
  // A page goes to that plane.
  void assign_to(std::uint8_t stream, FlashPlane flash_plane);
  // So many pages that were assigned to the plane have no place yet, after some were taken away.
  void assigned_again(std::uint8_t stream, FlashPlane flash_plane, std::uint32_t pages);
  // Rows are numbered through the stream's superblocks. The first one that has a page that is not assigned.
  std::uint64_t first_unassigned(std::uint8_t stream, FtlPlane set) const;
  std::uint64_t next_row(std::uint8_t stream, FlashPlane flash_plane) const { return member(stream, flash_plane).next; }
  // How many pages that are no parity the plane lacks up to that row.
  std::uint64_t data_rows(std::uint8_t stream, FlashPlane flash_plane, std::uint64_t end) const;

  bool at_parity(std::uint8_t stream, FlashPlane flash_plane) const { return at_parity(member(stream, flash_plane)); }
  // The superblock that the plane writes next, or an invalid id when it has not been taken yet.
  Superblock block(std::uint8_t stream, FlashPlane flash_plane) const;
  void taken(std::uint8_t stream, FtlPlane set, Superblock block);
  // Whether the page that is assigned next has a place in a superblock that was taken.
  bool has_room(std::uint8_t stream, FtlPlane set) const;
  // Goes on in a superblock of which so many rows are programmed, on all members. Nothing was written before.
  void resume(std::uint8_t stream, FtlPlane set, Superblock block, std::uint32_t rows);

  // Gives the page its place; its superblock has been taken and its row does not hold parity.
  void place(PageProgram& page, Tick now);
  // Likewise for a page of parity; false when its superblock has failed meanwhile.
  bool place_parity(PageProgram& parity);
  // Those that are held go back to the scheduler.
  void send_held(std::uint8_t stream, FtlPlane set);
  void hold(PageProgram& page) { member(page.write_stream, page.plane).held.push(page); }

  // No more is written to the superblock. Returns how many pins of it the caller has to undo.
  std::uint32_t give_up(std::uint8_t stream, FtlPlane set, Superblock block);

  // Rows with pages that wait for others to make the parity with.
  std::size_t open_rows() const { return open_rows_; }
  bool has_open_rows(std::uint8_t stream, FtlPlane set) const { return !stripe(stream, set).rows.empty(); }
  std::uint64_t parity_pages() const { return parity_pages_; }

  // Says which rows and pages wait for others.
  void list_waiting(std::ostream& out) const;

  bool writes_to(std::uint8_t stream, FtlPlane set, Superblock block) const {
    const std::deque<Superblock>& blocks = stripe(stream, set).blocks;
    return !blocks.empty() && blocks.front() == block;
  }
  // Which rows come next; none may be open, and no page on its way.
  void persist(Archive& archive);
  void persist_counters(Archive& archive) { archive(parity_pages_); }

 private:
  // Its superblock stays pinned until the parity is programmed.
  struct Row {
    std::uint64_t number;
    std::uint32_t missing;
    PageProgram* parity;
  };
  struct Stripe {
    std::uint64_t first = 0;  // of the superblocks, in the order they were taken
    std::deque<Superblock> blocks;
    std::vector<Row> rows;
  };
  struct Member {
    std::uint32_t position = 0;  // in the row
    std::uint64_t next = 0;      // row to be written
    std::uint64_t assigned = 0;  // row of the next page that is assigned, which holds no parity
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
  // To be handed to the scheduler, which is in the middle of a choice when pages get their places.
  PageQueue parity_to_send_;
  PageQueue data_to_send_;
  bool sending_ = false;
  std::size_t open_rows_ = 0;
  std::uint64_t parity_pages_ = 0;
};

}  // namespace nandscape::controller

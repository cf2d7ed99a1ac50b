// SPDX-License-Identifier: Apache-2.0
// The write frontier for drives with parity. Each stream fills superblocks of each stripe set. Each row of a superblock
// contains one page of parity (see addresses/flash_layout.h). A stream fills one superblock after the other, row by
// row, in these steps:
//
//   assign   A complete page is assigned to the member that has the fewest assigned rows, so that rows fill evenly.
//   place    The page is given the next row of its member when the scheduler is about to send it.
//   hold     If the member stores parity in that row, the page waits here until the parity has been sent.
//   parity   The parity is the sum of the data pages of the row as they were sent to the flash. It is complete when the
//            last of them has been given its row. It is sent when its member has reached the row, before the held
//            pages.
//
// A member may be some rows ahead of another member. It cannot pass a row in which it stores the parity before the row
// is complete. If a program in one of its members fails, the whole superblock is given up.
//
// The rows of a stream are numbered across its superblocks. Each superblock occupies as many numbers as an ordinary
// superblock has rows. If it has fewer rows, its last numbers are unused.
#pragma once

#include <cstdint>
#include <deque>
#include <iosfwd>
#include <optional>
#include <span>
#include <vector>

#include "controller/writing/write_frontier.h"

namespace nandscape::controller {

class StripeFrontier final : public WriteFrontier, private PlacingStage, private ProgrammingStage {
 public:
  explicit StripeFrontier(WritingState& writing);

  void assign(PageProgram& page, bool keeps_plane) override;
  Superblock open_block(std::uint8_t stream, FlashPlane plane) const override;
  bool has_room(std::uint8_t stream, FtlPlane set) const override;
  void open(std::uint8_t stream, FtlPlane set, Superblock block, std::uint32_t rows) override;
  void close(std::uint8_t stream, FtlPlane set) override;
  Turn turn(const PageProgram& page) const override;
  void append(PageProgram& page, Tick now) override;
  std::optional<std::uint32_t> next_page(const PageProgram& page, bool may_open) const override;
  // Rows are numbered across the superblocks of the stream.
  std::uint64_t next(std::uint8_t stream, FlashPlane plane) const override { return member(stream, plane).next; }
  bool takes_withdrawn(PageProgram& page, Tick now) override;
  void left(std::uint8_t stream, FlashPlane plane) override;

  std::uint64_t missing(std::uint8_t stream, FlashPlane plane, std::uint64_t end) const override;
  bool padding_needed(const PageProgram& padding) const override {
    return has_block(padding.write_stream, padding.plane);
  }
  void complete(std::uint8_t stream, FlashPlane plane) override;
  void failed(PageProgram& page, Tick now) override;

  std::uint32_t programmed_rows(Superblock block, std::uint32_t member) const override;
  void persist(Archive& archive) override;
  void list_waiting(std::ostream& out) const override;

 private:
  // A row that is incomplete, or whose parity has not been sent yet. The superblock stays pinned until the parity has
  // been programmed.
  struct Row {
    std::uint64_t number;
    std::uint32_t missing;
    PageProgram* parity;
  };
  struct Stripe {
    std::uint64_t first = 0;  // the running number of blocks.front() among the superblocks of the stream
    std::deque<Superblock> blocks;
    std::vector<Row> rows;
  };
  struct Member {
    std::uint32_t position = 0;  // index of the member within a row
    std::uint64_t next = 0;      // the row to which the next page will be written
    std::uint64_t assigned = 0;  // the row for the next page to be assigned; it never stores parity
    PageQueue held;
  };

  // The stages of writing that handle parity pages.
  Placement place(PageProgram& parity, Tick now) override;
  void withdrawn(PageProgram& parity, Tick now) override;
  ProgramPlace next_page(const PageProgram& parity) const override {
    return {parity.command.page, parity.command.mode};
  }
  void program_ended(PageProgram& parity, Tick now) override;

  FtlPlane set_of(const PageProgram& page) const { return writing_.points.mapping_plane(page); }
  std::size_t stripe_index(std::uint8_t stream, FtlPlane set) const { return std::size_t{stream} * sets_ + set.value; }
  Stripe& stripe(std::uint8_t stream, FtlPlane set) { return stripes_[stripe_index(stream, set)]; }
  const Stripe& stripe(std::uint8_t stream, FtlPlane set) const { return stripes_[stripe_index(stream, set)]; }
  std::span<Member> members(std::uint8_t stream, FtlPlane set) {
    return std::span(members_).subspan(stripe_index(stream, set) * width_, width_);
  }
  std::span<const Member> members(std::uint8_t stream, FtlPlane set) const {
    return std::span(members_).subspan(stripe_index(stream, set) * width_, width_);
  }
  Member& member(std::uint8_t stream, FlashPlane plane) {
    return members(stream, writing_.layout().mapping_plane(plane))[writing_.layout().member_of(plane)];
  }
  const Member& member(std::uint8_t stream, FlashPlane plane) const {
    return members(stream, writing_.layout().mapping_plane(plane))[writing_.layout().member_of(plane)];
  }
  bool is_parity(std::uint64_t row, std::uint32_t position) const;
  bool at_parity(const Member& m) const { return is_parity(m.next, m.position); }
  // Returns the shape of the superblock that contains the row, or the ordinary shape if no superblock has been opened
  // for it.
  const BlockShape& shape_at(const Stripe& stripe, std::uint64_t row) const;
  std::uint64_t row_after(const Stripe& stripe, std::uint64_t row) const;
  std::uint64_t data_row(const Stripe& stripe, std::uint64_t row, std::uint32_t position) const;
  std::uint64_t first_unassigned(std::uint8_t stream, FtlPlane set) const;
  void assign_to(const Stripe& stripe, Member& m) {
    m.assigned = data_row(stripe, row_after(stripe, m.assigned), m.position);
  }
  void assign_again(std::uint8_t stream, FlashPlane plane);
  void stand_at(std::uint8_t stream, FtlPlane set, std::uint64_t next, Superblock block);
  Row& open_row(const PageProgram& page, Stripe& stripe, std::uint64_t number);
  void advance(Stripe& stripe, std::span<Member> members, Member& m);
  void complete_rows(std::uint8_t stream, FtlPlane set);
  void complete_to(std::uint8_t stream, FtlPlane set, std::uint64_t end);
  template <class EndPage>
  void give_up_superblock(const PageProgram& page, EndPage end_page, Tick now);
  std::uint32_t drop(std::uint8_t stream, FtlPlane set, Superblock block);
  std::uint32_t drop_rows(Stripe& stripe, std::uint64_t first);
  void send_parity_if_due(Stripe& stripe, const Member& m);
  void send_held(Member& m);
  void send_later(PageQueue& queue, PageProgram& page);
  void send(std::uint64_t);

  WritingState& writing_;
  const PageStages parity_stages_;
  PagePool parity_pages_;
  const std::uint32_t width_;
  const std::uint32_t sets_;
  const Divisor rows_per_block_;  // number of rows of an ordinary superblock
  std::vector<Stripe> stripes_;
  std::vector<Member> members_;
  // Pages that will be passed to the scheduler by a separate event. They cannot be passed at once, because pages are
  // given their locations while the scheduler is choosing an operation.
  PageQueue parity_to_send_;
  PageQueue data_to_send_;
  bool sending_ = false;
};

}  // namespace nandscape::controller

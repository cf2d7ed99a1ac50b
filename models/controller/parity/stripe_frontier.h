// SPDX-License-Identifier: Apache-2.0
// Each stream fills superblocks of each stripe set, in which each row holds a page of parity (see
// addresses/flash_layout.h). It takes superblocks one after the other and fills them row after row:
//
//   assign   a complete page goes to the member that has the fewest rows so far: rows fill evenly
//   place    the page gets the next row of its member when the scheduler sends it
//   hold     if that row of the member holds parity, the page waits here until the parity is sent
//   parity   the sum of the row's pages as sent to flash, complete when the last of them has its place. It is sent when
//            its member has reached the row, before all pages that wait there
//
// A member may be some rows ahead of another, but never beyond an incomplete row whose parity it holds. A superblock is
// given up when a program in one of its members fails.
//
// Row numbers continue through the superblocks of a stripe. Each superblock takes as many numbers as an ordinary
// superblock has rows; one with fewer rows leaves its last numbers unused.
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
  // Row numbers continue through the stream's superblocks.
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
  // An open row. Its superblock stays pinned until the parity is programmed.
  struct Row {
    std::uint64_t number;
    std::uint32_t missing;
    PageProgram* parity;
  };
  struct Stripe {
    std::uint64_t first = 0;  // number of blocks.front() in the order in which superblocks are taken
    std::deque<Superblock> blocks;
    std::vector<Row> rows;
  };
  struct Member {
    std::uint32_t position = 0;  // index of the member in a row
    std::uint64_t next = 0;      // row to be written next
    std::uint64_t assigned = 0;  // row for the next page to assign, never a row whose parity the member holds
    PageQueue held;
  };

  // Stages of pages of parity.
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
  // The shape of the superblock that has the row; the ordinary shape if no superblock is open for the row.
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
  const Divisor rows_per_block_;  // rows of an ordinary superblock
  std::vector<Stripe> stripes_;
  std::vector<Member> members_;
  // Pages to be sent to the scheduler by a separate event, since pages get their places while the scheduler is
  // choosing.
  PageQueue parity_to_send_;
  PageQueue data_to_send_;
  bool sending_ = false;
};

}  // namespace nandscape::controller

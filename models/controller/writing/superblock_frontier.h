// SPDX-License-Identifier: Apache-2.0
// The write frontier for drives whose blocks are superblocks (see addresses/flash_layout.h). Each stream fills one
// superblock after the other on each plane of the mapping. A page passes through these steps:
//
//   assign   A complete page is assigned to the member that has the fewest assigned rows, so that rows fill evenly.
//   gather   If a superblock has members on all planes of a die, the pages of one row on one die are gathered and sent
//            to the scheduler together, which programs them with one multi-plane operation. If some of them do not
//            arrive in time, the others are sent alone.
//   place    The page is given the next row of its member when the scheduler is about to send it.
//
// A member may be some rows ahead of another member. If a program in one of its members fails, the whole superblock is
// given up.
//
// The rows of a stream are numbered across its superblocks. Each superblock occupies as many numbers as an ordinary
// superblock has rows. If it has fewer rows, its last numbers are unused.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <iosfwd>
#include <optional>
#include <span>
#include <vector>

#include "controller/writing/row_gathering.h"
#include "controller/writing/write_frontier.h"

namespace nandscape::controller {

class SuperblockFrontier : public WriteFrontier, private RowGathering::Rows {
 public:
  // The pages of a row on one die wait for each other for at most `gathering_time`.
  SuperblockFrontier(WritingState& writing, Tick gathering_time);

  void assign(PageProgram& page, bool keeps_plane) final;
  void send(PageProgram& page, Tick now) final;
  Superblock open_block(std::uint8_t stream, FlashPlane plane) const final;
  bool writes_to(Superblock block) const final;
  std::size_t open_blocks() const final;
  bool has_room(std::uint8_t stream, FtlPlane set) const final;
  void open(std::uint8_t stream, FtlPlane set, Superblock block, std::uint32_t rows) final;
  void close(std::uint8_t stream, FtlPlane set) final;
  void append(PageProgram& page, Tick now) final;
  std::optional<std::uint32_t> next_page(const PageProgram& page, bool may_open) const override;
  // Rows are numbered across the superblocks of the stream.
  std::uint64_t next(std::uint8_t stream, FlashPlane plane) const final { return member(stream, plane).next; }
  bool takes_withdrawn(PageProgram& page, Tick now) override;
  void left(std::uint8_t stream, FlashPlane plane) override;

  std::uint64_t missing(std::uint8_t stream, FlashPlane plane, std::uint64_t end) const final;
  bool padding_needed(const PageProgram& padding) const final { return has_block(padding.write_stream, padding.plane); }
  void complete(std::uint8_t stream, FlashPlane plane) override;
  void complete_page(const PageProgram& page) override;
  void failed(PageProgram& page, Tick now) final;

  std::uint32_t programmed_rows(Superblock block, std::uint32_t member) const final;
  void persist(Archive& archive) override;
  void list_waiting(std::ostream& out) const override;

 protected:
  // The superblocks that a stream fills on a plane of the mapping.
  struct Run {
    std::uint64_t first = 0;  // the running number of blocks.front() among the superblocks of the stream
    std::deque<Superblock> blocks;
    std::uint64_t pages_left = 0;  // number of pages of data that can still be written to them
  };
  struct Member {
    std::uint32_t position = 0;  // index of the member within a row
    std::uint64_t next = 0;      // the row to which the next page will be written
    std::uint64_t assigned = 0;  // the row for the next page to be assigned; the member stores data in it
  };

  // Places all members at row 0. Must be called by the constructor of a class that overrides has_data().
  void place_members();
  // Implements RowGathering::Rows. Returns whether the member stores data, and not parity, in that row.
  bool has_data(std::uint64_t /*row*/, std::uint32_t /*member*/) const override { return true; }
  // Called when the page has been given the row.
  virtual void row_taken(PageProgram& /*page*/, std::uint64_t /*row*/) {}
  // Called when the next row of the member has changed.
  virtual void advanced(std::uint8_t /*stream*/, FtlPlane /*set*/, Member& /*m*/) {}
  // Called when a superblock has been given up, and the rows from `first` on that it occupied are renumbered. Returns
  // the number of pins that the frontier has set on the superblock and that the caller must remove.
  virtual std::uint32_t rows_dropped(std::uint8_t /*stream*/, FtlPlane /*set*/, std::uint64_t /*first*/) { return 0; }

  FtlPlane set_of(const PageProgram& page) const { return writing_.points.mapping_plane(page); }
  std::size_t run_index(std::uint8_t stream, FtlPlane set) const { return std::size_t{stream} * sets_ + set.value; }
  std::size_t runs() const { return runs_.size(); }
  Run& run(std::uint8_t stream, FtlPlane set) { return runs_[run_index(stream, set)]; }
  const Run& run(std::uint8_t stream, FtlPlane set) const { return runs_[run_index(stream, set)]; }
  std::span<Member> members(std::uint8_t stream, FtlPlane set) {
    return std::span(members_).subspan(run_index(stream, set) * width_, width_);
  }
  std::span<const Member> members(std::uint8_t stream, FtlPlane set) const {
    return std::span(members_).subspan(run_index(stream, set) * width_, width_);
  }
  Member& member(std::uint8_t stream, FlashPlane plane) {
    return members(stream, writing_.layout().mapping_plane(plane))[writing_.layout().member_of(plane)];
  }
  const Member& member(std::uint8_t stream, FlashPlane plane) const {
    return members(stream, writing_.layout().mapping_plane(plane))[writing_.layout().member_of(plane)];
  }
  // Returns the shape of the superblock that contains the row, or the ordinary shape if no superblock has been opened
  // for it.
  const BlockShape& shape_at(const Run& run, std::uint64_t row) const;
  std::uint32_t row_of_block(std::uint64_t row) const { return rows_per_block_.remainder(row); }
  // Returns the first row behind the wordline that contains row `row - 1`, or `row` if a wordline begins there.
  std::uint64_t wordline_end(const Run& run, std::uint64_t row) const;
  // Returns the row up to which the write point must be written before its programmed pages are durable.
  std::uint64_t durable_end(std::uint8_t stream, FlashPlane plane) const;
  // Returns the row up to which the members must be written before the page is durable, or 0 if all members have left
  // its superblock.
  std::uint64_t durable_end(const PageProgram& page) const;
  // Returns the first row that has a page to which no data have been assigned.
  std::uint64_t first_unassigned(std::uint8_t stream, FtlPlane set) const;
  // Moves the member to its next row.
  void advance(std::uint8_t stream, FtlPlane set, Member& m);
  // Pads the member, or all members, up to row `end`.
  void complete_to(std::uint8_t stream, FlashPlane plane, std::uint64_t end);
  void complete_all_to(std::uint8_t stream, FtlPlane set, std::uint64_t end);
  // Gives up the superblock of the page because a program in one of its members has failed. No more pages are written
  // to it, and incomplete wordlines of its other members stay incomplete. The rows of later superblocks of the stream
  // are renumbered, so padding that has been requested must be requested again. Calls end_page() when `page` may be
  // written elsewhere.
  void give_up_superblock(const PageProgram& page, const std::function<void()>& end_page, Tick now);
  WritingState& writing() const { return writing_; }
  std::uint32_t width() const { return width_; }
  std::uint32_t sets() const { return sets_; }
  std::uint64_t rows_per_block() const { return rows_per_block_.value(); }

 private:
  std::uint64_t row_after(const Run& run, std::uint64_t row) const;
  std::uint64_t data_row(const Run& run, std::uint64_t row, std::uint32_t position) const;
  // Assigns the next row of the member to a page, and returns the row.
  std::uint64_t assign_to(const Run& run, Member& m);
  void assign_again(std::uint8_t stream, FlashPlane plane);
  // Begins the run again, with `block` as its first superblock if it is valid.
  void begin_run(std::uint8_t stream, FtlPlane set, Superblock block);
  void stand_at(std::uint8_t stream, FtlPlane set, Member& m, std::uint64_t row);
  std::uint32_t drop(std::uint8_t stream, FtlPlane set, Superblock block);
  // Counts the pages that are left in the run again.
  void count_pages_left(std::uint8_t stream, FtlPlane set);
  // Computes open_to_all().
  void count_open();
  void persist_open(Archive& archive, std::uint8_t stream, FtlPlane set, Superblock& block);
  void check_runs(Archive& archive, std::uint8_t stream, FtlPlane set);

  WritingState& writing_;
  const std::uint32_t width_;
  const std::uint32_t sets_;
  const Divisor rows_per_block_;  // number of rows of an ordinary superblock
  std::vector<Run> runs_;
  std::vector<Member> members_;
  RowGathering gathering_;
};

}  // namespace nandscape::controller

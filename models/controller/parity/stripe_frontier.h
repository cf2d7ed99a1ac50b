// SPDX-License-Identifier: Apache-2.0
// The write frontier for drives with parity. Each row of a superblock contains one page of parity (see
// addresses/flash_layout.h). In addition to the steps of SuperblockFrontier, pages pass through these:
//
//   hold     If the member stores parity in its next row, the page waits here until the parity has been sent.
//   parity   The parity is the sum of the data pages of the row as they were sent to the flash. It is complete when the
//            last of them has been given its row. It is sent when its member has reached the row, before the held
//            pages.
//
// A member cannot pass a row in which it stores the parity before the row is complete.
#pragma once

#include <cstdint>
#include <iosfwd>
#include <optional>
#include <vector>

#include "controller/writing/superblock_frontier.h"

namespace nandscape::controller {

class StripeFrontier final : public SuperblockFrontier, private PlacingStage, private ProgrammingStage {
 public:
  StripeFrontier(WritingState& writing, Tick gathering_time);

  Turn turn(const PageProgram& page) const override;
  std::optional<std::uint32_t> next_page(const PageProgram& page, bool may_open) const override;
  bool takes_withdrawn(PageProgram& page, Tick now) override;
  void left(std::uint8_t stream, FlashPlane plane) override;
  void complete(std::uint8_t stream, FlashPlane plane) override;
  void complete_page(const PageProgram& page) override;
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
  using OpenRows = std::vector<Row>;

  // The steps of SuperblockFrontier.
  bool has_data(std::uint64_t row, std::uint32_t position) const override {
    return !writing().layout().is_parity(row_of_block(row), position);
  }
  void row_taken(PageProgram& page, std::uint64_t row) override;
  void advanced(std::uint8_t stream, FtlPlane set, Member& m) override;
  std::uint32_t rows_dropped(std::uint8_t stream, FtlPlane set, std::uint64_t first) override;

  // The stages of writing that handle parity pages.
  Placement place(PageProgram& parity, Tick now) override;
  void withdrawn(PageProgram& parity, Tick now) override;
  ProgramPlace next_page(const PageProgram& parity) const override {
    return {parity.command.page, parity.command.mode};
  }
  void program_ended(PageProgram& parity, Tick now) override;

  OpenRows& rows(std::uint8_t stream, FtlPlane set) { return rows_[run_index(stream, set)]; }
  bool at_parity(const Member& m) const { return !has_data(m.next, m.position); }
  PageQueue& held(std::uint8_t stream, FtlPlane set, const Member& m) {
    return held_[run_index(stream, set) * width() + m.position];
  }
  Row& open_row(const PageProgram& page, OpenRows& rows, std::uint64_t number);
  void complete_rows(std::uint8_t stream, FtlPlane set);
  void send_parity_if_due(std::uint8_t stream, FtlPlane set, const Member& m);
  void send_held(std::uint8_t stream, FtlPlane set, const Member& m);
  void send_later(PageQueue& queue, PageProgram& page);
  void send_waiting(std::uint64_t);

  const PageStages parity_stages_;
  PagePool parity_pages_;
  std::vector<OpenRows> rows_;   // the open rows of each run
  std::vector<PageQueue> held_;  // the pages that each member of each run holds
  // Pages that will be passed to the scheduler by a separate event. They cannot be passed at once, because pages are
  // given their locations while the scheduler is choosing an operation.
  PageQueue parity_to_send_;
  PageQueue data_to_send_;
  bool sending_ = false;
};

}  // namespace nandscape::controller

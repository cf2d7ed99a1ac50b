// SPDX-License-Identifier: Apache-2.0
// Tracks pages from the time at which they are placed until they are durable. A page is durable when all pages of its
// wordline are programmed, or with two passes, when all of them are programmed again (second_passes.h). Before that,
// its data are only in the latches of the die. The page then keeps its buffer, because a failed program loses all pages
// of the wordline, and these must be written again. If pages must become durable at once, their wordlines are completed
// with padding.
#pragma once

#include <cstdint>
#include <iosfwd>
#include <optional>
#include <utility>

#include "controller/writing/page_assembly.h"
#include "controller/writing/page_encoding.h"
#include "controller/writing/page_program.h"
#include "controller/writing/second_passes.h"
#include "controller/writing/write_frontier.h"
#include "controller/writing/writing_state.h"
#include "core/archive.h"

namespace nandscape::controller {

class PagePlacement;

// Upper bounds on the number of pages that must be programmed before all programmed pages are durable.
struct PagesToSave {
  std::uint64_t of_busiest_plane = 0;
  std::uint64_t of_all = 0;
};

class WordlineLedger final : public ProgrammingStage {
 public:
  // `maker` creates the pages for padding.
  WordlineLedger(WritingState& writing, WriteFrontier& frontier, PageEncoding& encoding, PagePlacement& placement,
                 PageAssembly::Client& maker, PagePool& pages)
      : writing_(writing),
        frontier_(frontier),
        encoding_(encoding),
        placement_(placement),
        maker_(maker),
        pages_(pages),
        undurable_(writing.power),
        awaited_(writing.layout().mapping().planes()) {
    if (writing.settings.two_passes) second_passes_.emplace(writing, frontier, *this);
  }

  void program_ended(PageProgram& page, Tick now) override;
  // Notifies the listener that the program has ended. Returns whether the page has been programmed. If another program
  // in its block has failed, the page counts as lost, because its wordline will not be completed.
  bool passed(const PageProgram& page, Tick now);
  // Called when the last page of a wordline has been given its place.
  void wordline_placed(const PageProgram& last) {
    if (second_passes_ && second_passes_->follow(last.block)) second_passes_->wordline_placed(last);
  }
  // Called when the wordline of the write point is complete. Reports its pages as durable and releases them.
  void wordline_durable(WritePoint& point, Tick now) { pages_durable(std::exchange(point.wordline, nullptr), now); }
  // Does the same for a list of pages.
  void pages_durable(PageProgram* pages, Tick now);
  // Writes the pages of the block that are programmed and not durable at that write point again elsewhere.
  void rewrite_wordline(std::uint8_t stream, FlashPlane plane, Superblock block, Tick now);
  // Writes a page that is programmed and not durable again elsewhere.
  void rewrite(PageProgram& page, Tick now);
  // Writes a page elsewhere whose program has ended in vain. Padding is dropped.
  void write_elsewhere(PageProgram& page, Tick now);
  // Called when a program in the block has failed. Reports the block to garbage collection, which empties it, and
  // removes `pins` pins from it.
  void give_up_block(Superblock block, std::uint32_t pins, Tick now);
  // Called when no plane has room for the page. Its units are refused, and the page is released.
  void give_up(PageProgram& page, Tick now);
  void drop_padding(PageProgram& padding);
  // Returns the passes that follow the first one. Returns null if all wordlines are programmed in one pass.
  SecondPasses* second_passes() { return second_passes_ ? &*second_passes_ : nullptr; }
  const SecondPasses* second_passes() const { return second_passes_ ? &*second_passes_ : nullptr; }

  // Makes all new data durable that have been programmed, by adding padding to their wordlines and, with parity, to
  // their rows. Pages that have to be written again after a failed program will become durable as well.
  void complete_wordlines();
  // Completes the wordlines of all pages that keep a block of the plane from being erased.
  void complete_wordlines_for(FtlPlane plane);
  // Records whether garbage collection on that plane is waiting for complete_wordlines_for().
  void await_moves(FtlPlane plane, bool awaits);
  // Calls complete_wordlines_for() for all planes on which garbage collection is waiting.
  void complete_awaited_moves();
  // Adds padding to the write point up to page `complete_to`. Pages that are waiting to be placed there are used
  // instead of padding.
  void fill_up(std::uint8_t stream, FlashPlane plane);

  const UndurablePages& undurable() const { return undurable_; }
  // Returns the acknowledged writes that would be lost if the supply ended now.
  LostWrites lost_without_power() const { return writing_.units.lost_without_power(undurable_); }
  // Returns the maximum number of pages needed to complete all wordlines that have programmed pages.
  PagesToSave pages_to_save() const;
  // Returns whether new data that had been reported as programmed could not be written again. They will never be
  // durable.
  bool lost_new_data() const { return lost_new_data_; }

  void persist(Archive& archive);
  void list_waiting(std::ostream& out) const;

 private:
  void programmed(PageProgram& page, Tick now);
  void pad(std::uint8_t stream, FlashPlane plane);

  WritingState& writing_;
  WriteFrontier& frontier_;
  PageEncoding& encoding_;
  PagePlacement& placement_;
  PageAssembly::Client& maker_;
  PagePool& pages_;
  UndurablePages undurable_;
  std::optional<SecondPasses> second_passes_;
  IdVector<FtlPlane, bool> awaited_;  // whether garbage collection waits for the plane
  std::uint32_t awaited_planes_ = 0;
  bool lost_new_data_ = false;
};

}  // namespace nandscape::controller

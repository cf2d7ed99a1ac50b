// SPDX-License-Identifier: Apache-2.0
// Follows placed pages until they are durable. A page is durable when all pages of its wordline are programmed; until
// then its data are only in the die's latches, and it keeps its buffer here, since a failed program loses the whole
// wordline. Pages of a lost wordline are placed again. If pages must become durable now, padding completes their
// wordlines.
#pragma once

#include <cstdint>
#include <iosfwd>

#include "controller/writing/page_assembly.h"
#include "controller/writing/page_encoding.h"
#include "controller/writing/page_program.h"
#include "controller/writing/write_frontier.h"
#include "controller/writing/writing_state.h"
#include "core/archive.h"

namespace nandscape::controller {

class PagePlacement;

// Upper bounds on the number of pages to program until all programmed pages are durable.
struct PagesToSave {
  std::uint64_t of_busiest_plane = 0;
  std::uint64_t of_all = 0;
};

class WordlineLedger final : public ProgrammingStage {
 public:
  // `maker` makes padding.
  WordlineLedger(WritingState& writing, WriteFrontier& frontier, PageEncoding& encoding, PagePlacement& placement,
                 PageAssembly::Client& maker, PagePool& pages)
      : writing_(writing),
        frontier_(frontier),
        encoding_(encoding),
        placement_(placement),
        maker_(maker),
        pages_(pages),
        undurable_(writing.power),
        awaited_(writing.layout().mapping().planes()) {}

  void program_ended(PageProgram& page, Tick now) override;
  // Notifies the listener of the program. Returns whether the page is programmed; a page in a block that has failed
  // counts as lost, since its wordline will not be completed.
  bool passed(const PageProgram& page, Tick now);
  // The write point's wordline is complete.
  void wordline_durable(WritePoint& point, Tick now);
  // If the write point's wordline is in that block, its programmed pages are lost, and are written elsewhere.
  void rewrite_wordline(WritePoint& point, Superblock block, Tick now);
  // A program in the block has failed: collection empties the block, and `pins` pins of the block are undone.
  void give_up_block(Superblock block, std::uint32_t pins, Tick now);
  // There is no place for the page.
  void give_up(PageProgram& page, Tick now);
  void drop_padding(PageProgram& padding);

  // Makes all new data that are programmed durable by padding their wordlines; with parity, completes their rows, too.
  // Pages that are written again after a failed program become durable as well.
  void complete_wordlines();
  // Does the same for all pages that keep blocks of the plane from being erased.
  void complete_wordlines_for(FtlPlane plane);
  // Collection of that plane waits for complete_wordlines_for(), or no longer does.
  void await_moves(FtlPlane plane, bool awaits);
  // Completes the wordlines for all planes whose collection waits.
  void complete_awaited_moves();
  // Pads the write point up to its `complete_to`. Pages that wait for a place there replace padding.
  void fill_up(std::uint8_t stream, FlashPlane plane);

  const UndurablePages& undurable() const { return undurable_; }
  // Acknowledged writes that are lost if the supply ends now.
  LostWrites lost_without_power() const { return writing_.units.lost_without_power(undurable_); }
  // The most pages that are needed to complete all wordlines with programmed pages.
  PagesToSave pages_to_save() const;
  // Whether new data that were reported as programmed could not be written again, and will never be durable.
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
  IdVector<FtlPlane, bool> awaited_;  // by collection
  std::uint32_t awaited_planes_ = 0;
  bool lost_new_data_ = false;
};

}  // namespace nandscape::controller

// SPDX-License-Identifier: Apache-2.0
// The second pass of wordlines, for cells that are programmed in two passes (see protocol/nand_command.h). The pages of
// a wordline are sent to the die twice:
//
//   first(0)  first(1)  second(0)  first(2)  second(1)  ...  first(last)  second(last - 1)  second(last)
//
// A page is mapped, and its write is completed to the host, after its first pass, but only the second pass makes it
// durable and readable. Until then it keeps its buffer, and a copy of its data answers all reads of it. The second pass
// of a wordline is queued when the last page of the next wordline has been given its place, ahead of all other pages of
// the plane. No other page of the write point is placed before all pages of the second pass have been sent, because
// the die insists on the order.
//
// A wordline that consists of padding only gets no second pass, because nobody reads it. Otherwise every flush would
// leave a wordline behind that is not durable.
//
// If a program of the block fails, the pages that wait for their second pass are written again elsewhere. Pages that
// are in the queue leave it when their turn comes.
#pragma once

#include <cstdint>

#include "controller/reading/page_copies.h"
#include "controller/writing/page_program.h"
#include "controller/writing/write_frontier.h"
#include "controller/writing/writing_state.h"
#include "core/archive.h"
#include "core/statistics.h"

namespace nandscape::controller {

class WordlineLedger;

struct SecondPassCounters {
  std::uint64_t pages = 0;
  std::uint64_t most_held_pages = 0;
  std::uint64_t reads = 0;
};
void describe(const SecondPassCounters& counters, StatisticsVisitor& visitor);

class SecondPasses final : private PlacingStage, private ProgrammingStage {
 public:
  SecondPasses(WritingState& writing, WriteFrontier& frontier, WordlineLedger& ledger);

  // Returns whether the wordlines of the block have a second pass.
  bool follow(Superblock block) const { return writing_.blocks.shape(block).passes == 2; }
  // Called when the last page of a wordline has been given its place.
  void wordline_placed(const PageProgram& last);
  // Called when the page has had its first pass, before its units are mapped.
  void programmed(const PageProgram& page);
  // Called when all pages of the write point's wordline have had their first pass. Takes the pages over.
  void wordline_programmed(WritePoint& point, Tick now);
  // Called when a program in the block has failed. Gives all pages of the write point that wait for the second pass, or
  // for its end, to the ledger, which writes them again.
  void give_up(std::uint8_t stream, FlashPlane plane, Superblock block, Tick now);
  // Called when the page, which has been programmed, is durable or is written again elsewhere.
  void forget(PageProgram& page);

  // The pages that cannot be read from the flash yet.
  PageCopies& copies() { return copies_; }
  SecondPassCounters counters() const {
    SecondPassCounters counters = counters_;
    counters.reads = copies_.reads();
    return counters;
  }
  void persist_counters(Archive& archive) {
    copies_.persist_counters(archive);
    archive(counters_);
  }

 private:
  // The stages of pages in their second pass.
  Placement place(PageProgram& page, Tick now) override;
  void withdrawn(PageProgram& page, Tick now) override;
  ProgramPlace next_page(const PageProgram& page) const override {
    return {page.command.page, page.command.mode, page.command.pass};
  }
  void program_ended(PageProgram& page, Tick now) override;

  std::uint64_t index(std::uint8_t stream, FlashPlane plane) const {
    return std::uint64_t{stream} * writing_.layout().flash().planes() + plane.value;
  }
  std::uint64_t index(const PageProgram& page) const { return index(page.write_stream, page.plane); }
  std::uint8_t stream_of(std::uint64_t index) const {
    return static_cast<std::uint8_t>(index / writing_.layout().flash().planes());
  }
  FlashPlane plane_of(std::uint64_t index) const {
    return FlashPlane(static_cast<std::uint32_t>(index % writing_.layout().flash().planes()));
  }
  WritePoint& point(std::uint64_t index) { return writing_.points.at(stream_of(index), plane_of(index)); }
  bool ends_block(const PageProgram& page) const {
    return page.command.page + 1 == writing_.blocks.shape(page.block).rows;
  }
  // The following functions are called by events, because pages are placed while the scheduler is choosing an
  // operation. begin() queues the second pass of the write point's previous wordline, if there is one.
  void begin(std::uint64_t index);
  // Called when all pages of a second pass have been sent.
  void all_sent(std::uint64_t index);
  // Lets the write point place pages again.
  void go_on(std::uint64_t index);
  // Removes the pin of a page that is durable or has been given up.
  void unpin(Superblock block, std::uint32_t pages, Tick now);
  void lose_all(PageProgram*& pages, Superblock block, Tick now);

  WritingState& writing_;
  WriteFrontier& frontier_;
  WordlineLedger& ledger_;
  const PageStages stages_;
  PageCopies copies_;
  SecondPassCounters counters_;
  std::uint64_t held_pages_ = 0;
};

}  // namespace nandscape::controller

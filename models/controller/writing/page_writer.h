// SPDX-License-Identifier: Apache-2.0
// Writes pages to the flash. Each stream of writes has an open block on each plane, or an open superblock across
// several planes; the write frontier decides this. A page passes through these stages:
//
//   assemble  PageAssembly fills the page with units.
//   encode    PageEncoding passes the page to the ECC engine of its channel. If the content of a wordline decides how
//             the wordline is written, PageEncoding first gathers both of its pages.
//   place     When the scheduler is about to send the page, PagePlacement gives it the next page of its stream's open
//             block.
//   program   The die programs the page.
//   durable   WordlineLedger waits until all pages of the wordline are programmed.
//
// If a program fails, the page and the other pages of its wordline are placed again, and the failure of the block is
// reported to garbage collection.
#pragma once

#include <cstdint>
#include <iosfwd>
#include <memory>

#include "controller/writing/page_assembly.h"
#include "controller/writing/page_encoding.h"
#include "controller/writing/page_placement.h"
#include "controller/writing/wordline_ledger.h"
#include "controller/writing/write_frontier.h"
#include "controller/writing/writing_state.h"
#include "core/archive.h"
#include "core/component.h"

namespace nandscape::controller {

class PageWriter final : public Component, public PageAssembly::Client {
 public:
  // Only pages of the stream `settings.streams.reserve` that move data may use the blocks that are reserved for garbage
  // collection.
  PageWriter(const WritingContext& context, const WriterSettings& settings);

  // Implements PageAssembly::Client.
  PageProgram& make_page(PageOrigin origin, std::uint8_t stream, FtlPlane plane) override;
  void assembled(PageProgram& page) override;

  PageEncoding& encoding() { return encoding_; }
  PagePlacement& placement() { return placement_; }
  WordlineLedger& ledger() { return ledger_; }
  const WordlineLedger& ledger() const { return ledger_; }
  const WriteFrontier& frontier() const { return *frontier_; }

  // Continues the stream in `block`, in which `rows` rows are already programmed.
  void resume_block(std::uint8_t stream, FtlPlane plane, Superblock block, std::uint32_t rows) {
    frontier_->open(stream, plane, block, rows);
  }
  // Stops writing to the open block. Padding completes its current wordline, or the whole superblock if there is
  // parity.
  void close_block(Superblock block);
  // Called when nothing more will be written. Pages that wait for other pages of their group are passed to the
  // scheduler again, on all planes.
  void release_groups();

  const WriteStreams& streams() const { return writing_.settings.streams; }
  // Returns the number of units that still fit into the open blocks, except those to which garbage collection writes.
  // While the drive saves its data after a loss of supply, these blocks take units of any plane.
  std::uint64_t open_units() const { return frontier_->open_to_all() * writing_.layout().units_per_page(); }
  // Returns, for each plane of the mapping, the number of pages that are not programmed yet.
  const IdVector<FtlPlane, std::uint32_t>& backlogs() const { return writing_.points.backlogs; }
  const WriterCounters& counters() const { return writing_.counters; }

  // Prints the pages that are programmed but not durable, and the pages that are waiting to be placed.
  void list_waiting(std::ostream& out) const override;
  // Saves or restores which blocks are open. All programmed pages must be durable.
  void persist(Archive& archive) override;
  void persist_counters(Archive& archive) override {
    archive(writing_.counters);
    frontier_->persist_counters(archive);
    if (SecondPasses* const passes = ledger_.second_passes()) passes->persist_counters(archive);
  }

 private:
  void begin_times(PageProgram& page);
  void list_write_point(std::uint8_t stream, FlashPlane plane, std::ostream& out) const;

  WritingState writing_;
  const std::unique_ptr<WriteFrontier> frontier_;
  const PageStages stages_;
  PagePool pages_;
  PageEncoding encoding_;
  PagePlacement placement_;
  WordlineLedger ledger_;
};

}  // namespace nandscape::controller

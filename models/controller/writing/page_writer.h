// SPDX-License-Identifier: Apache-2.0
// Writes pages to the flash. Each stream of writes has an open block on each plane, or a superblock on several planes,
// as its write frontier chooses. A page passes these stages:
//
//   assemble  PageAssembly fills it with units
//   encode    PageEncoding: by the ECC engine of its channel; before that, both pages of a wordline are gathered if
//             their content decides how they are written
//   place     PagePlacement: when the scheduler sends the page, it gets the next page of its stream's open block
//   program   by the die
//   durable   WordlineLedger: when all pages of the wordline are programmed
//
// A page whose program has failed is placed again, with the other pages of its wordline, and its block is reported.
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
  // Only moved pages of the stream `settings.streams.reserve` may take the blocks that are reserved for collection.
  PageWriter(const WritingContext& context, const WriterSettings& settings);

  // PageAssembly::Client
  PageProgram& make_page(PageOrigin origin, std::uint8_t stream, FtlPlane plane) override;
  void assembled(PageProgram& page) override;

  PageEncoding& encoding() { return encoding_; }
  PagePlacement& placement() { return placement_; }
  WordlineLedger& ledger() { return ledger_; }
  const WordlineLedger& ledger() const { return ledger_; }
  const WriteFrontier& frontier() const { return *frontier_; }

  // Continues in the stream's open block, of which `rows` rows are programmed.
  void resume_block(std::uint8_t stream, FtlPlane plane, Superblock block, std::uint32_t rows) {
    frontier_->open(stream, plane, block, rows);
  }
  // Closes the open block: padding completes its wordline, or with parity the whole superblock.
  void close_block(Superblock block);
  // Nothing more is written: on all planes, sends pages that wait for others of their group to the scheduler again.
  void release_groups();

  const WriteStreams& streams() const { return writing_.settings.streams; }
  // Units that still fit into open blocks other than collection's. When the power fails, these blocks take units of any
  // plane.
  std::uint64_t open_units() const { return frontier_->open_to_all() * writing_.layout().units_per_page(); }
  // Pages that are not programmed yet, by plane.
  const IdVector<FtlPlane, std::uint32_t>& backlogs() const { return writing_.points.backlogs; }
  const WriterCounters& counters() const { return writing_.counters; }

  // Prints which pages are programmed and not durable, or have no place.
  void list_waiting(std::ostream& out) const override;
  // Saves or restores which blocks are open. All programmed pages must be durable.
  void persist(Archive& archive) override;
  void persist_counters(Archive& archive) override {
    archive(writing_.counters);
    frontier_->persist_counters(archive);
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

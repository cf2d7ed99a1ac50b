// SPDX-License-Identifier: Apache-2.0
#include "controller/fullpages/fullpage_engines.h"

#include "controller/fullpages/fullpage_pattern.h"
#include "controller/writing/plain_frontier.h"

namespace nandscape::controller {

namespace {

// The write frontier for superblocks over layers. It writes one wordline in each of the four member blocks in turn, so
// that each wordline is complete as soon as its own pages have arrived. In a superblock of fullpages, a group of
// fullpages fills four successive wordlines, one in each quarter of the layers. Pages that lend parity are written
// before the pages that borrow it.
//
// If a program of a group fails, then the pages of the group that have lost their location or have not been given one
// yet are written separately. The programmed pages of the group do not need them.
class LayerFrontier final : public PlainFrontier {
 public:
  // Fullpages are written with the stream for gathered units.
  LayerFrontier(WritingState& writing, const FullpagePattern& fullpages)
      : PlainFrontier(writing, Traits{}), fullpages_(fullpages), fullpage_stream_(writing.settings.streams.gathered) {}

  void open(std::uint8_t stream, FtlPlane plane, Superblock block, std::uint32_t pages) override;
  Turn turn(const PageProgram& page) const override;
  std::optional<std::uint32_t> next_page(const PageProgram& page, bool may_open) const override;
  std::uint32_t programmed_rows(Superblock block, std::uint32_t member) const override;

 private:
  RowAndMember page_at(const BlockShape& shape, std::uint32_t position, std::uint8_t stream) const override;

  const FullpagePattern& fullpages_;
  const std::uint8_t fullpage_stream_;
};

PlainFrontier::RowAndMember LayerFrontier::page_at(const BlockShape& shape, std::uint32_t position,
                                                   std::uint8_t stream) const {
  const std::uint32_t wordline = position / shape.pages_per_wordline;
  const std::uint32_t row = wordline / layer_quarters * shape.pages_per_wordline + shape.type_of(position);
  const std::uint32_t turn = wordline % layer_quarters;
  return {row, stream == fullpage_stream_ ? fullpages_.member(row, turn) : turn};
}

void LayerFrontier::open(std::uint8_t stream, FtlPlane plane, Superblock block, std::uint32_t pages) {
  PlainFrontier::open(stream, plane, block, pages);
  if (stream == fullpage_stream_) writing().blocks.set_frontier_mark(block);
}

std::optional<std::uint32_t> LayerFrontier::next_page(const PageProgram& page, bool may_open) const {
  const std::uint8_t stream = turn(page) == Turn::alone ? page.alone_stream : page.write_stream;
  return PlainFrontier::next_page(stream, page.plane, may_open);
}

Turn LayerFrontier::turn(const PageProgram& page) const {
  if (page.place_in_group == 0) return Turn::now;
  const OpenBlock& to = at(page.write_stream, page.plane);
  if (!to.block.valid()) return page.place_in_group == 1 ? Turn::now : Turn::alone;
  const std::uint32_t next = to.next_page % (layer_quarters * shape(to.block).pages_per_wordline);
  return page.place_in_group == next + 1 ? Turn::now : Turn::alone;
}

std::uint32_t LayerFrontier::programmed_rows(Superblock block, std::uint32_t member) const {
  const std::uint32_t pages = writing().blocks.next_page(block) / writing().layout().units_per_page();
  const std::uint8_t stream = writing().blocks.stream(block);
  std::uint32_t rows = 0;
  for (std::uint32_t k = 0; k < pages; ++k) rows += page_at(shape(block), k, stream).member == member;
  return rows;
}

}  // namespace

FullpageEngines::FullpageEngines(const FullpageParameters& parameters, const Geometry& flash, bool multi_plane)
    : pattern_(fullpage_pattern(parameters, flash).value()),
      fill_(parameters.precondition_percent, pattern_),
      wait_(ticks_from_us(1000 * parameters.wait_ms)),
      planes_together_(multi_plane ? flash.planes_per_die : 1) {}

std::unique_ptr<WriteFrontier> FullpageEngines::make_frontier(WritingState& writing) const {
  return std::make_unique<LayerFrontier>(writing, pattern_);
}

void FullpageEngines::join_reads(FlashIo& io, FlashScheduler& scheduler, const BlockTable& blocks, PageReader& reader) {
  donors_.emplace(pattern_, io, scheduler, blocks, reader);
  reader.set_companions(*donors_);
}

UnitGatherer& FullpageEngines::join_writes(const BlockTable& blocks, PageAssembly& assembly, PlaneChooser& planes,
                                           std::uint8_t stream, Tick unit_wait, Calendar& calendar,
                                           UnitGatherer::Client& alone) {
  return writer_.emplace(blocks, assembly, planes, planes_together_, stream, unit_wait, wait_, calendar, alone);
}

FullpageCounters FullpageEngines::counters() const {
  FullpageCounters counters = writer_->counters();
  counters.lone_reads = donors_->lone_reads();
  return counters;
}

void FullpageEngines::persist_counters(Archive& archive) {
  writer_->persist_counters(archive);
  donors_->persist_counters(archive);
}

}  // namespace nandscape::controller

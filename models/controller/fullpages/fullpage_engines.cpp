// SPDX-License-Identifier: Apache-2.0
#include "controller/fullpages/fullpage_engines.h"

#include "controller/fullpages/layer_frontier.h"

namespace nandscape::controller {

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

UnitGatherer& FullpageEngines::join_writes(FlashIo& io, PageAssembly& assembly, PlaneChooser& planes,
                                           std::uint8_t stream, Tick unit_wait, Calendar& calendar,
                                           UnitGatherer::Client& alone) {
  return writer_.emplace(io, assembly, planes, planes_together_, stream, unit_wait, wait_, calendar, alone);
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

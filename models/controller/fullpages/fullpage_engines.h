// SPDX-License-Identifier: Apache-2.0
// Layer-aware fullpage allocation (FPA; Nie et al., section III-B), as the translation layer has it where it is chosen:
// what it adds to the fill, to the frontier, to host writes and to reads.
#pragma once

#include <memory>
#include <optional>

#include "controller/fullpages/fullpage_fill.h"
#include "controller/fullpages/fullpage_writer.h"
#include "controller/fullpages/parameters.h"
#include "controller/fullpages/parity_donors.h"
#include "controller/reading/page_reader.h"
#include "controller/writing/frontier_context.h"
#include "core/archive.h"

namespace nandscape::controller {

class FullpageEngines {
 public:
  // The parameters have passed their checks. Dies that program several planes at once get fullpages for all of them.
  FullpageEngines(const FullpageParameters& parameters, const Geometry& flash, bool multi_plane);

  const FillPattern& fill() const { return fill_; }
  std::unique_ptr<WriteFrontier> make_frontier(const FrontierContext& context) const;

  // Reads of fullpages find the page that lends them parity.
  void join_reads(FlashIo& io, FlashScheduler& scheduler, const BlockTable& blocks, PageReader& reader);
  // Units that are written gather here. Those that remain alone go back to `alone`.
  UnitGatherer& join_writes(FlashIo& io, PageAssembly& assembly, PlaneChooser& planes, std::uint8_t stream,
                            Tick unit_wait, Calendar& calendar, UnitGatherer::Client& alone);

  FullpageCounters counters() const;
  void persist_counters(Archive& archive);

 private:
  const FullpagePattern pattern_;
  const FullpageFill fill_;
  const Tick wait_;
  const std::uint32_t planes_together_;
  std::optional<ParityDonors> donors_;
  std::optional<FullpageWriter> writer_;
};

}  // namespace nandscape::controller

// SPDX-License-Identifier: Apache-2.0
// Creates and connects the parts of layer-aware fullpage allocation (FPA) [Nie et al., section III-B]: the initial fill
// of the drive, the write frontier, the gathering of host writes, and the reads of parity donors. The flash translation
// layer uses this class only if FPA is configured.
#pragma once

#include <memory>
#include <optional>

#include "controller/fullpages/fullpage_pattern.h"
#include "controller/fullpages/fullpage_writer.h"
#include "controller/fullpages/fullpages.h"
#include "controller/fullpages/parity_donors.h"
#include "controller/reading/page_reader.h"
#include "controller/writing/write_frontier.h"
#include "core/archive.h"
#include "core/component.h"

namespace nandscape::controller {

class FullpageEngines final : public Component {
 public:
  // `parameters` must have passed their checks. If `multi_plane` is true, fullpages for all planes of a die are
  // gathered and written together.
  FullpageEngines(const FullpageParameters& parameters, const Geometry& flash, bool multi_plane);

  const FillPattern& fill() const { return fill_; }
  std::unique_ptr<WriteFrontier> make_frontier(WritingState& writing) const;

  // Makes `reader` also read the page that lends parity, when it reads a fullpage that borrows it.
  void join_reads(FlashIo& io, FlashScheduler& scheduler, const BlockTable& blocks, PageReader& reader);
  // Returns the gatherer to which the host's units must be passed. It returns the units that are not part of a fullpage
  // to `alone`.
  UnitGatherer& join_writes(const BlockTable& blocks, PageAssembly& assembly, PlaneChooser& planes, std::uint8_t stream,
                            Tick unit_wait, Calendar& calendar, UnitGatherer::Client& alone);

  FullpageCounters counters() const;
  void persist_counters(Archive& archive) override;

 private:
  const FullpagePattern pattern_;
  const FullpageFill fill_;
  const Tick wait_;
  const std::uint32_t planes_together_;
  std::optional<ParityDonors> donors_;
  std::optional<FullpageWriter> writer_;
};

}  // namespace nandscape::controller

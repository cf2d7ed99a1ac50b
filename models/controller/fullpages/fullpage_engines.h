// SPDX-License-Identifier: Apache-2.0
// The parts of layer-aware fullpage allocation (FPA; Nie et al., section III-B): the fill, the frontier, the gathering
// of host writes, and the reads of parity donors. The translation layer uses them if FPA is configured.
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
  // The parameters must have passed their checks. With `multi_plane`, fullpages are gathered for all planes of a die.
  FullpageEngines(const FullpageParameters& parameters, const Geometry& flash, bool multi_plane);

  const FillPattern& fill() const { return fill_; }
  std::unique_ptr<WriteFrontier> make_frontier(WritingState& writing) const;

  // Lets reads of fullpages also read the page that lends them parity.
  void join_reads(FlashIo& io, FlashScheduler& scheduler, const BlockTable& blocks, PageReader& reader);
  // Returns the gatherer of written units. Units that join no fullpage are returned to `alone`.
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

// SPDX-License-Identifier: Apache-2.0
// Writes fullpages that are spread over the layers. Fullpages (see fullpages.h) gathers them, and this class writes
// them once there are enough.
#pragma once

#include <cstdint>
#include <span>

#include "controller/fullpages/fullpages.h"
#include "controller/mapping/block_table.h"
#include "controller/writing/page_assembly.h"
#include "controller/writing/plane_choice.h"
#include "controller/writing/unit_write.h"
#include "core/calendar.h"

namespace nandscape::controller {

class FullpageWriter final : public UnitGatherer, private Fullpages::Client {
 public:
  // A group has as many fullpages as fill one wordline in each member of an ordinary superblock. The groups for
  // `planes_together` planes of a die are written together. Units that are not part of a fullpage are returned to
  // `client`.
  FullpageWriter(const BlockTable& blocks, PageAssembly& assembly, PlaneChooser& planes, std::uint32_t planes_together,
                 std::uint8_t stream, Tick unit_wait, Tick fullpage_wait, Calendar& calendar,
                 UnitGatherer::Client& client);

  void take(UnitWrite& unit, Tick now) override { fullpages_.take(unit, now); }
  void release(Tick now) override { fullpages_.release(now); }

  const FullpageCounters& counters() const { return fullpages_.counters(); }
  void persist_counters(Archive& archive) { fullpages_.persist_counters(archive); }

 private:
  FtlPlane plane_of_fullpage(Lpn first) override;
  bool takes_group(FtlPlane plane) override { return planes_.takes_any(plane); }
  void write_groups(std::span<const Fullpage> fullpages, std::span<const FtlPlane> planes, Tick now) override;
  void write_page(std::span<const Fullpage> group, std::uint32_t place, FtlPlane plane);
  void write_alone(UnitWrite& unit, Tick now) override { client_.write_alone(unit, now); }

  PageAssembly& assembly_;
  PlaneChooser& planes_;
  const std::uint8_t stream_;
  const BlockShape shape_;
  UnitGatherer::Client& client_;
  Fullpages fullpages_;
};

}  // namespace nandscape::controller

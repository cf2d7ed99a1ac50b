// SPDX-License-Identifier: Apache-2.0
// Blocks of data that nobody overwrites are never collected, and wear out the others. From time to time this finds the
// block that lags furthest behind: emptying it lets it take its part.
#pragma once

#include <cstdint>
#include <vector>

#include "controller/addresses/ids.h"
#include "controller/mapping/block_table.h"
#include "controller/mapping/wear_levelling_parameters.h"
#include "core/archive.h"

namespace nandscape::controller {

class StaticWearLevelling {
 public:
  StaticWearLevelling(const WearLevellingParameters& p, const FtlGeometry& geometry)
      : threshold_(p.static_threshold), check_erases_(p.check_erases), erases_(enabled() ? geometry.planes() : 0) {}

  bool enabled() const { return threshold_ != 0; }

  // A block of the plane was erased. The block to empty now, or an invalid id: of the full ones that no command is on
  // its way to the least worn, the longest unwritten among equals, when the plane's most worn block is ahead of it by
  // more than the threshold.
  Superblock erased(const BlockTable& blocks, FtlPlane plane);

  // Searches begin anew where they were not made before.
  void persist(Archive& archive) {
    archive.variant(enabled() ? "static" : "", [this](Archive& state) {
      state.table(erases_.values(), erases_.size(), "planes", [&](std::uint32_t& erases) {
        state.index(erases, check_erases_, "the erases of a plane since the last search");
      });
    });
  }

 private:
  std::uint32_t threshold_;
  std::uint32_t check_erases_;
  IdVector<FtlPlane, std::uint32_t> erases_;  // of each plane since the last search
};

}  // namespace nandscape::controller

// SPDX-License-Identifier: Apache-2.0
// Finds blocks that lag behind in wear. Blocks whose data are never overwritten are never collected, and the other
// blocks wear instead. Emptying such a block makes it take part.
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

  // A block of the plane was erased. Returns the block to empty now, or an invalid id: the least worn full block
  // without pending commands, the longest unwritten among equals. Its lag behind the plane's most worn block must
  // exceed the threshold.
  Superblock erased(const BlockTable& blocks, FtlPlane plane);

  // If the saved state has no counts, counting begins at zero.
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
  IdVector<FtlPlane, std::uint32_t> erases_;  // by plane, since its last search
};

}  // namespace nandscape::controller

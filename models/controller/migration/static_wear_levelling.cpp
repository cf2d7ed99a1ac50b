// SPDX-License-Identifier: Apache-2.0
#include "controller/migration/static_wear_levelling.h"

#include <algorithm>

namespace nandscape::controller {

Superblock StaticWearLevelling::erased(const BlockTable& blocks, FtlPlane plane) {
  if (!enabled() || ++erases_[plane] < check_erases_) return Superblock();
  erases_[plane] = 0;

  const FtlGeometry& geometry = blocks.geometry();
  std::uint32_t most = 0;
  Superblock least_worn;
  for (std::uint32_t index = 0; index < geometry.blocks_per_plane(); ++index) {
    const Superblock block = geometry.block(plane, index);
    const std::uint32_t erases = blocks.erase_count(block);
    most = std::max(most, erases);
    if (blocks.state(block) != BlockTable::State::full || blocks.pinned(block)) continue;
    const bool better =
        !least_worn.valid() || erases < blocks.erase_count(least_worn) ||
        (erases == blocks.erase_count(least_worn) && blocks.last_written(block) < blocks.last_written(least_worn));
    if (better) least_worn = block;
  }
  const bool lags = least_worn.valid() && most - blocks.erase_count(least_worn) > threshold_;
  return lags ? least_worn : Superblock();
}

}  // namespace nandscape::controller

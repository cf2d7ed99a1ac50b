// SPDX-License-Identifier: Apache-2.0
#include "controller/migration/garbage_collection/collectable.h"

namespace nandscape::controller {

BlockId emptiest_block(const BlockTable& blocks, PlaneId plane) {
  const Geometry& geometry = blocks.geometry();
  BlockId best;
  std::uint32_t fewest = geometry.pages_per_block;
  for (std::uint32_t index = 0; index < geometry.blocks_per_plane; ++index) {
    const BlockId block = geometry.block(plane, index);
    if (blocks.valid_pages(block) < fewest && collectable(blocks, block)) {
      fewest = blocks.valid_pages(block);
      best = block;
    }
  }
  return best;
}

}  // namespace nandscape::controller

// SPDX-License-Identifier: Apache-2.0
#include "controller/migration/garbage_collection/collectable.h"

namespace nandscape::controller {

Superblock emptiest_block(const BlockTable& blocks, FtlPlane plane) {
  const FtlGeometry& geometry = blocks.geometry();
  Superblock best;
  std::uint32_t fewest = geometry.units_per_block();
  for (std::uint32_t index = 0; index < geometry.blocks_per_plane(); ++index) {
    const Superblock block = geometry.block(plane, index);
    if (blocks.valid_pages(block) < fewest && collectable(blocks, block)) {
      fewest = blocks.valid_pages(block);
      best = block;
    }
  }
  return best;
}

}  // namespace nandscape::controller

// SPDX-License-Identifier: Apache-2.0
// The blocks that victim policies choose among.
#pragma once

#include "controller/mapping/block_table.h"
#include "core/random.h"

namespace nandscape::controller {

// Whether the block can be collected and gains a page of the flash: it is full, no command to it is pending, and at
// least a page of its units is invalid.
inline bool collectable(const BlockTable& blocks, Superblock block) {
  return blocks.valid_pages(block) + blocks.units_per_page() <= blocks.geometry().units_per_block() &&
         blocks.state(block) == BlockTable::State::full && !blocks.pinned(block);
}

// Returns a block of the plane for which `wanted` holds, each with equal chance, or an invalid id if there is none.
template <class Wanted>
Superblock draw_block(const BlockTable& blocks, FtlPlane plane, RandomStream& random, const Wanted& wanted) {
  const FtlGeometry& geometry = blocks.geometry();
  // If most blocks are wanted, a few draws find one. If few are, they are counted and one of them is drawn.
  constexpr int draws = 16;
  for (int k = 0; k < draws; ++k) {
    const Superblock block =
        geometry.block(plane, static_cast<std::uint32_t>(random.below(geometry.blocks_per_plane())));
    if (wanted(block)) return block;
  }
  std::uint32_t count = 0;
  for (std::uint32_t index = 0; index < geometry.blocks_per_plane(); ++index) {
    count += wanted(geometry.block(plane, index));
  }
  if (count == 0) return Superblock();
  std::uint64_t before = random.below(count);
  for (std::uint32_t index = 0;; ++index) {
    const Superblock block = geometry.block(plane, index);
    if (wanted(block) && before-- == 0) return block;
  }
}

}  // namespace nandscape::controller

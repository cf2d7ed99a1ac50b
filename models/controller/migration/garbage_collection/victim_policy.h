// SPDX-License-Identifier: Apache-2.0
// Chooses the next victim of garbage collection on a plane.
#pragma once

#include <cstdint>

#include "controller/mapping/block_table.h"
#include "core/parameters.h"
#include "core/random.h"
#include "core/registry.h"
#include "core/ticks.h"

namespace nandscape::controller {

class VictimPolicy {
 public:
  virtual ~VictimPolicy() = default;
  // Returns a full block of the plane that has no pending command and gains at least one page; an invalid id if there
  // is none.
  virtual Superblock choose(const BlockTable& blocks, FtlPlane plane, Tick now) = 0;
  // Saves or restores the state that the policy keeps between choices.
  virtual void persist(Archive&) {}
};

// Policies are made from the simulation's seed.
using VictimRegistry = Registry<VictimPolicy, std::uint64_t>;
VictimRegistry& victim_registry();

// Whether the block can be collected and gains a page of the flash: it is full, no command to it is pending, and its
// invalid units would fill at least one flash page.
inline bool collectable(const BlockTable& blocks, Superblock block) {
  return blocks.gains_page(block) && blocks.state(block) == BlockTable::State::full && !blocks.pinned(block);
}

// Draws a block of the plane for which `wanted` holds, each with equal probability. Returns an invalid id if there is
// none.
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

// Configuration group `controller.garbage_collection`.
enum class CollectionPace { free, balanced };

struct GarbageCollectionParameters {
  VariantChoice policy{"greedy", nullptr};
  std::uint32_t start_free_blocks = 4;
  std::uint32_t reserved_blocks = 1;
  std::uint32_t pages_in_flight = 8;
  bool preemptible = true;
  CollectionPace pace = CollectionPace::free;
  bool copyback = false;
  std::uint32_t copyback_limit = 4;
};
void describe(GarbageCollectionParameters& p, ParameterVisitor& v);

}  // namespace nandscape::controller

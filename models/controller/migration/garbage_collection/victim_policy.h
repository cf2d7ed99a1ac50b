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
  // Returns a full block of the plane that has no pending command and whose collection gains at least one flash page.
  // Returns an invalid id if there is no such block.
  virtual Superblock choose(const BlockTable& blocks, FtlPlane plane, Tick now) = 0;
  // Saves or restores the state that the policy keeps from one choice to the next.
  virtual void persist(Archive&) {}
};

// Constructs policies by name. The argument of each constructor is the seed of the simulation.
using VictimRegistry = Registry<VictimPolicy, std::uint64_t>;
VictimRegistry& victim_registry();

// Returns whether the block can be collected and its collection gains a flash page: the block is full, no command to it
// is pending, and it has at least as many invalid units as a flash page holds.
inline bool collectable(const BlockTable& blocks, Superblock block) {
  return blocks.gains_page(block) && blocks.state(block) == BlockTable::State::full && !blocks.pinned(block);
}

// Returns a random block among the blocks of the plane for which `wanted` is true, all with equal probability. Returns
// an invalid id if there is no such block.
template <class Wanted>
Superblock draw_block(const BlockTable& blocks, FtlPlane plane, RandomStream& random, const Wanted& wanted) {
  const FtlGeometry& geometry = blocks.geometry();
  // If most blocks are wanted, a few draws find one of them. Otherwise the wanted blocks are counted first, and one of
  // them is drawn.
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

// SPDX-License-Identifier: Apache-2.0
// A fixture for tests of the mapping tables: geometry, allocation order and initial fill.
#pragma once

#include <algorithm>
#include <cmath>

#include "controller/mapping/allocation_order.h"
#include "controller/mapping/initial_fill.h"
#include "core/random.h"

namespace nandscape::controller {

// Returns the layout in which a mapping unit is a whole page and a superblock is one block of one plane.
inline FlashLayout plain_layout(const Geometry& flash) { return {flash, flash.page_bytes}; }

struct MappingFixture {
  MappingFixture(const FtlGeometry& g, std::uint64_t pages, const PreconditionParameters& precondition = {},
                 std::uint64_t seed = 1, std::uint32_t free_blocks = 4, const FillFrontiers& frontiers = {})
      : MappingFixture(Geometry{.planes_per_die = g.planes(),
                                .blocks_per_plane = g.blocks_per_plane(),
                                .pages_per_block = g.units_per_block(),
                                .page_bytes = g.unit_bytes()},
                       pages, precondition, seed, free_blocks, frontiers) {}
  MappingFixture(const Geometry& flash, std::uint64_t pages, const PreconditionParameters& precondition = {},
                 std::uint64_t seed = 1, std::uint32_t free_blocks = 4, const FillFrontiers& frontiers = {})
      : layout(plain_layout(flash)),
        logical_pages(pages),
        fill(precondition, geometry, order, pages, seed, free_blocks, 0, nullptr, frontiers) {}

  FlashLayout layout;
  FtlGeometry geometry = layout.mapping();
  std::uint64_t logical_pages;
  AllocationOrder order{"CWDP", layout};
  InitialFill fill;
};

inline Geometry random_geometry(RandomStream& random) {
  const auto up_to = [&](std::uint64_t most) { return static_cast<std::uint32_t>(1 + random.below(most)); };
  return {.channels = up_to(4),
          .chips_per_channel = up_to(3),
          .dies_per_chip = up_to(2),
          .planes_per_die = up_to(4),
          .blocks_per_plane = 4 + up_to(40),
          .pages_per_block = up_to(70),
          .page_bytes = 4096};
}

}  // namespace nandscape::controller

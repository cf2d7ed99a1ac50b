// SPDX-License-Identifier: Apache-2.0
// Small flash geometries for tests. Each plane has 12 blocks, and each block has two wordlines of three pages.
#pragma once

#include "protocol/geometry.h"

namespace nandscape {

constexpr Geometry small_geometry(std::uint32_t channels, std::uint32_t planes_per_die) {
  return {.channels = channels,
          .planes_per_die = planes_per_die,
          .blocks_per_plane = 12,
          .pages_per_block = 6,
          .page_bytes = 4096,
          .spare_bytes = 512};
}

inline constexpr Geometry one_plane = small_geometry(1, 1);
inline constexpr Geometry two_planes = small_geometry(1, 2);
inline constexpr Geometry three_dies = small_geometry(3, 1);  // three channels with one die each

}  // namespace nandscape

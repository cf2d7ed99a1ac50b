// SPDX-License-Identifier: Apache-2.0
#include "controller/fullpages/fullpage_pattern.h"

#include <cmath>
#include <vector>

#include "catch.h"
#include "controller/fullpages/fullpages.h"
#include "controller/mapping/initial_fill.h"

namespace nandscape::controller {
namespace {

TEST_CASE("an initial fill puts fullpages across layers in the first blocks, and other units as usual") {
  const std::uint32_t percent = GENERATE(0U, 1U, 37U, 50U, 99U, 100U);
  const double occupancy = GENERATE(1.0, 0.613);
  CAPTURE(percent, occupancy);
  const FlashLayout layout({.planes_per_die = 3, .blocks_per_plane = 9, .pages_per_block = 192, .page_bytes = 4096},
                           4096);
  const FtlGeometry& geometry = layout.mapping();
  const AllocationOrder order("CWDP", layout, 4);
  const FullpagePattern pattern({0, 2, 1, 3}, 12);
  const FullpageFill fullpages(percent, pattern);
  const std::uint64_t logical_pages = std::uint64_t{3} * 5 * 192 - 7;
  const PreconditionParameters p{.occupancy = occupancy, .order = FillOrder::sequential};
  const InitialFill fill(p, geometry, order, logical_pages, 1, 4, 0, &fullpages);
  std::vector<bool> taken(geometry.units());
  std::uint64_t written = 0, spread = 0;
  for (std::uint64_t lpn = 0; lpn < logical_pages; ++lpn) {
    const Ppa ppa = fill.find(Lpn(lpn));
    if (!ppa.valid()) continue;
    ++written;
    REQUIRE_FALSE(taken[ppa.value]);
    taken[ppa.value] = true;
    REQUIRE(fill.lpn_at(ppa) == Lpn(lpn));
    const Superblock block = geometry.block_of(ppa);
    REQUIRE(geometry.plane_of(block) == order.plane_of(Lpn(lpn)));
    const std::uint64_t unit = ppa.value % 192;
    if (!fill.patterned(block)) continue;
    ++spread;
    REQUIRE(pattern.unit(static_cast<std::uint32_t>(unit / 16), static_cast<std::uint32_t>(unit % 16 / 4)) == lpn % 4);
    const Ppa first = fill.find(Lpn(lpn / 4 * 4));
    REQUIRE(ppa.value / 16 == first.value / 16);  // same row
  }
  CHECK(written == static_cast<std::uint64_t>(std::llround(occupancy * static_cast<double>(logical_pages))));
  // Data at the end that do not fill a whole block of each plane are not spread over layers, so the share may be
  // smaller.
  const double asked = static_cast<double>(written) * percent / 100;
  CHECK(static_cast<double>(spread) <= asked);
  CHECK(static_cast<double>(spread) > asked - 3 * 192 - 12);
}

}  // namespace
}  // namespace nandscape::controller

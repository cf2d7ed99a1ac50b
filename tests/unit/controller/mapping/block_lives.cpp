// SPDX-License-Identifier: Apache-2.0
#include "controller/mapping/block_lives.h"

#include <algorithm>
#include <cstddef>
#include <numeric>
#include <vector>

#include "catch.h"
#include "core/archive.h"
#include "core/random.h"

namespace nandscape::controller {
namespace {

constexpr std::uint32_t blocks = 12;
constexpr double per_hour = 2;  // equivalent hours of an hour at the temperature of the drive

Tick hours(double count) { return ticks_from_s(3600 * count); }

// A drive's clock and the lives of its blocks.
struct Drive {
  DriveClock clock{per_hour};
  BlockLives lives{blocks, clock};
};

TEST_CASE("the wear agrees with a count of the erases of each block") {
  Drive drive;
  std::vector<std::uint32_t> erases(blocks);
  RandomStream random(1, "block_lives");
  for (int k = 0; k < 200; ++k) {
    const auto block = static_cast<std::uint32_t>(random.below(blocks));
    drive.lives.erased(Superblock(block));
    ++erases[block];
    constexpr std::uint32_t first_cycles = 100;
    const WearFigures wear = drive.lives.wear().figures(first_cycles);
    REQUIRE(wear.least == first_cycles + *std::ranges::min_element(erases));
    REQUIRE(wear.most == first_cycles + *std::ranges::max_element(erases));
    REQUIRE(wear.mean == Approx(first_cycles + std::accumulate(erases.begin(), erases.end(), 0.0) / blocks));
    REQUIRE(drive.lives.erases(Superblock(block)) == erases[block]);
  }
}

TEST_CASE("a block that is taken out no longer counts in the wear") {
  Drive drive;
  for (int k = 0; k < 5; ++k) drive.lives.erased(Superblock(3));
  WearCounts counts = drive.lives.wear();
  CHECK(counts.figures(0).most == 5);
  counts.remove(5);
  CHECK(counts.figures(0).most == 0);
  for (std::uint32_t block = 0; block < blocks - 1; ++block) counts.remove(0);
  CHECK(counts.figures(7).most == 0);
}

TEST_CASE("the lives of blocks outlive a loss of power") {
  Drive drive;
  drive.lives.erased(Superblock(1));
  drive.lives.erased(Superblock(2));
  drive.clock.pass(10);
  drive.lives.written(Superblock(2), hours(1));
  Archive saved;
  drive.lives.persist(saved);
  const std::vector<std::byte> bytes = saved.take();

  Drive next;
  next.lives.erased(Superblock(0));
  Archive archive(bytes);
  next.lives.persist(archive);
  archive.finish();
  CHECK(next.lives.erases(Superblock(0)) == 0);
  CHECK(next.lives.written_hours(Superblock(0)) == BlockLives::before_start);
  CHECK(next.lives.written_hours(Superblock(1)) == BlockLives::not_written);
  CHECK(next.lives.written_hours(Superblock(2)) == Approx(10 + per_hour));
  CHECK(next.lives.wear().figures(0).mean == Approx(2.0 / blocks));
}

}  // namespace
}  // namespace nandscape::controller

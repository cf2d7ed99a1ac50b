// SPDX-License-Identifier: Apache-2.0
#include <cstdint>
#include <map>
#include <random>
#include <vector>

#include "catch.h"
#include "platform/studies/retention_requirements/last_writes.h"

using namespace nandscape;

namespace {

// The numbers of overwritten sectors, by the time at which they had been written before.
using Overwritten = std::map<std::uint64_t, std::uint64_t>;

Overwritten overwritten_by(LastWrites& disk, std::uint64_t first, std::uint64_t end, std::uint64_t time) {
  Overwritten parts;
  std::uint64_t sum = 0;
  const std::uint64_t known = disk.write(first, end, time, [&](std::uint64_t sectors, std::uint64_t written_at) {
    parts[written_at] += sectors;
    sum += sectors;
  });
  CHECK(known == sum);
  return parts;
}

}  // namespace

TEST_CASE("a write overwrites nothing, a whole extent, or parts of extents", "[retention]") {
  LastWrites disk;
  CHECK(overwritten_by(disk, 10, 20, 1).empty());
  CHECK(overwritten_by(disk, 30, 40, 2).empty());
  CHECK(overwritten_by(disk, 20, 30, 3).empty());
  CHECK(disk.extents() == 3);
  CHECK(overwritten_by(disk, 10, 20, 4) == Overwritten{{1, 10}});
  CHECK(disk.extents() == 3);
  CHECK(overwritten_by(disk, 15, 35, 5) == Overwritten{{4, 5}, {3, 10}, {2, 5}});
  CHECK(disk.extents() == 3);
  CHECK(overwritten_by(disk, 20, 22, 6) == Overwritten{{5, 2}});
  CHECK(disk.extents() == 5);
  CHECK(overwritten_by(disk, 0, 100, 7) == Overwritten{{4, 5}, {5, 18}, {6, 2}, {2, 5}});
  CHECK(disk.extents() == 1);
}

TEST_CASE("memory depends on extents only, however large they are and however often they are written", "[retention]") {
  LastWrites disk;
  constexpr std::uint64_t large = std::uint64_t{1} << 50;
  for (std::uint64_t time = 0; time < 1000; ++time) overwritten_by(disk, 0, large, time);
  CHECK(disk.extents() == 1);
}

TEST_CASE("extents agree with a sector-by-sector model", "[retention]") {
  std::mt19937 random(1);
  for (int disk_number = 0; disk_number < 20; ++disk_number) {
    LastWrites disk;
    std::vector<std::uint64_t> sectors(64);  // time of the last write to each sector; 0 if it was never written
    for (std::uint64_t time = 1; time <= 200; ++time) {
      const std::uint64_t first = random() % 64;
      const std::uint64_t end = first + 1 + random() % (64 - first);
      Overwritten naive;
      for (std::uint64_t sector = first; sector < end; ++sector) {
        if (sectors[sector] != 0) ++naive[sectors[sector]];
        sectors[sector] = time;
      }
      REQUIRE(overwritten_by(disk, first, end, time) == naive);
      REQUIRE(disk.extents() <= 64);
    }
  }
}

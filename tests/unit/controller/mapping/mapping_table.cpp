// SPDX-License-Identifier: Apache-2.0
#include "controller/mapping/mapping_table.h"

#include <algorithm>
#include <unordered_map>

#include "catch.h"
#include "fakes/mapping_fixture.h"

namespace nandscape::controller {
namespace {

TEST_CASE("a mapping table is a dictionary that starts with the initial fill") {
  // The block counts are chosen so that entries need one, two, three and five bytes.
  const std::uint32_t blocks = GENERATE(8u, 30u, 2000u, 400'000'000u);
  const FtlGeometry geometry(1, blocks, 16, 4096);
  constexpr std::uint64_t logical_pages = 5000;
  PreconditionParameters p;
  p.occupancy = blocks < 1000 ? 0.01 : 0.6;
  const MappingFixture f(geometry, logical_pages, p);
  MappingTable table(logical_pages, geometry.units(), f.fill);
  std::unordered_map<std::uint64_t, Ppa> reference;
  for (std::uint64_t lpn = 0; lpn < logical_pages; ++lpn) reference[lpn] = f.fill.find(Lpn(lpn));

  RandomStream random(1, "mapping_table");
  for (int k = 0; k < 200'000; ++k) {
    // The end of the table is tested most often, because a write could exceed the table there.
    const std::uint64_t lpn = random.below(2) == 0 ? random.below(logical_pages) : logical_pages - 1 - random.below(5);
    switch (k % 1000 == 0 ? 3 : random.below(3)) {
      case 0: {
        // The highest possible page number must also fit into an entry.
        const Ppa ppa(random.below(2) == 0 ? random.below(geometry.units()) : geometry.units() - 1);
        table.map(Lpn(lpn), ppa);
        reference[lpn] = ppa;
        break;
      }
      case 1:
        table.unmap(Lpn(lpn));
        reference[lpn] = Ppa();
        break;
      case 3: {  // ranges, including whole chunks
        const std::uint64_t count = random.below(logical_pages - lpn + 1);
        table.unmap(Lpn(lpn), count);
        for (std::uint64_t u = lpn; u < lpn + count; ++u) reference[u] = Ppa();
        break;
      }
      default: REQUIRE(table.find(Lpn(lpn)) == reference[lpn]);
    }
  }
  for (std::uint64_t lpn = 0; lpn < logical_pages; ++lpn) REQUIRE(table.find(Lpn(lpn)) == reference[lpn]);
  const Lpn end(logical_pages - 7);
  std::uint64_t next = 0;
  for (std::uint64_t from = 0; from < end.value; ++from) {
    for (next = std::max(next, from); next < end.value && !reference[next].valid(); ++next) {
    }
    REQUIRE(table.next_mapped(Lpn(from), end) == Lpn(next));
  }
}

}  // namespace
}  // namespace nandscape::controller

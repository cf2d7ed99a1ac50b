// SPDX-License-Identifier: Apache-2.0
// Tests that a drive whose capacitor protects its write buffer fills its flash pages, however large the buffer is, even
// if the host waits for room in it and pages hardly wait for more units.
#include <cstdint>
#include <string>
#include <vector>

#include "catch.h"
#include "scenario.h"

namespace nandscape {
namespace {

constexpr std::uint32_t pages_per_block = 48;
constexpr std::uint32_t pages_per_wordline = 3;
constexpr std::uint32_t units_per_page = 4;

// Returns the share of empty units in the pages that the host wrote.
double share_of_empty_units(std::uint32_t buffer_units) {
  Simulation simulation(load_configuration(
      "enterprise_tlc", {{"channel.count", Value(2)},
                         {"nand.geometry.blocks_per_plane", Value(40)},
                         {"nand.geometry.pages_per_block", Value(std::int64_t{pages_per_block})},
                         {"controller.mapping.over_provisioning", Value(0.6)},
                         {"controller.mapping.write_coalescing_us", Value(10)},
                         {"controller.precondition.distribution", Value("steady_state")},
                         {"controller.cache.capacity_bytes", Value(std::int64_t{4096} * buffer_units)},
                         {"controller.cache.writes_in_flight", Value(std::int64_t{buffer_units})},
                         {"host.workload.read_percent", Value(70)},
                         {"host.workload.queue_depth", Value(256)},
                         {"host.workload.requests", Value(60'000)}}));
  REQUIRE(simulation.run());
  const Value statistics = simulation.statistics();
  CHECK(statistics.at("controller.cache.waits").number() > 5000);
  return statistics.at("controller.unfilled_units").number() /
         (units_per_page * statistics.at("controller.host_pages").number());
}

// At the end of a superblock, padding may take a wordline of each member. There, the buffer could not be saved, so
// writes bypass it, and a page may hold a single unit. The host writes about five superblocks; a part of one may add
// its end, but not its beginning.
TEST_CASE("only the last wordlines of a superblock are filled badly, whatever the size of the write buffer") {
  constexpr double of_superblock =
      (1 - 1.0 / units_per_page) * static_cast<double>(pages_per_wordline) / pages_per_block;
  const std::uint32_t two_wordlines_of_each_plane = 384;
  for (const std::uint32_t times : {1, 2, 4}) {
    CAPTURE(times);
    CHECK(share_of_empty_units(times * two_wordlines_of_each_plane) < 1.25 * of_superblock);
  }
}

}  // namespace
}  // namespace nandscape

// SPDX-License-Identifier: Apache-2.0
// Tests that data read through the whole machine are equal to the data written, for all sizes and addresses and during
// garbage collection. CheckedDevice records the expected content of each sector.
#include "catch.h"
#include "checked_device.h"
#include "scenario.h"

namespace nandscape {
namespace {

// A device with 12 MiB of flash. Some requests are larger than a page, others are smaller.
const std::string device = R"(
simulation: {data: stored, request_log: false}
host: {nvme: {max_transfer_kib: 64}}
controller:
  mapping: {over_provisioning: 0.25}
  precondition: {occupancy: 0}
channel: {count: 2}
ecc: {codeword_bytes: 1024}
nand:
  geometry: {chips_per_channel: 1, dies_per_chip: 1, planes_per_die: 2, blocks_per_plane: 32, pages_per_block: 12,
             page_bytes: 8192, spare_bytes: 512}
)";

TEST_CASE("stored data are right after tens of thousands of commands of all sizes") {
  Simulation simulation(configure(device));
  CheckedDevice checked(simulation, simulation.capacity_bytes() / sector_bytes);
  CHECK(checked.read_everything() == 0);  // unwritten sectors must read as zeroes
  std::uint64_t wrong = 0;
  for (int k = 0; k < 40'000; ++k) wrong += checked.random_command();
  CHECK(wrong == 0);
  CHECK(checked.read_everything() == 0);

  const Value statistics = simulation.statistics();
  CHECK(statistics.at("controller.gc.moved_units").number() > 10'000);
  CHECK(statistics.at("controller.merge_reads").number() > 10'000);
  CHECK(statistics.at("host.all.errors") == Value(0));
}

TEST_CASE("stored data stay right while a workload overwrites the rest of the device") {
  // The workload accesses only addresses above 6 MiB. It continues while the single commands access the addresses
  // below.
  Simulation simulation(
      configure(device, {"host.workload={read_percent: 30, trim_percent: 5, block_bytes: 6144, alignment_bytes: 512, "
                         "footprint_start_bytes: 6291456, footprint_bytes: 3145728, queue_depth: 8, "
                         "requests: 100000000}"}));
  REQUIRE_FALSE(simulation.run([](const Progress&) { return false; }));
  const Tick begin = simulation.now();
  const double before = simulation.statistics().at("host.all.count").number();
  CheckedDevice checked(simulation, 6291456 / sector_bytes);
  constexpr std::uint64_t commands = 3000;
  std::uint64_t wrong = 0;
  for (std::uint64_t k = 0; k < commands; ++k) wrong += checked.random_command();
  wrong += checked.read_everything();
  CHECK(wrong == 0);
  const Value statistics = simulation.statistics();
  CHECK(simulation.now() > begin);
  CHECK(statistics.at("host.all.count").number() - before > 2.0 * commands);
  CHECK(statistics.at("host.all.errors") == Value(0));
}

}  // namespace
}  // namespace nandscape

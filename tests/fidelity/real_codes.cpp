// SPDX-License-Identifier: Apache-2.0
// Data through the whole machine with real codecs: what is written through NVMe comes back equal through programmed
// cells, sensing and decoding, or the command fails. And the table of a code against its decoder, in one device.
#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "catch.h"
#include "checked_device.h"
#include "core/error.h"
#include "scenario.h"

namespace nandscape {
namespace {

// 3 MiB of flash, in pages of two codewords.
const std::string device = R"(
simulation: {data: stored, cells: per_cell, request_log: false}
controller:
  mapping: {over_provisioning: 0.7}
  precondition: {occupancy: 0}
channel: {count: 1}
ecc: {decoder: bit_true, codeword_bytes: 4096}
nand:
  geometry: {chips_per_channel: 1, dies_per_chip: 1, planes_per_die: 2, blocks_per_plane: 16, pages_per_block: 12,
             page_bytes: 8192, spare_bytes: 1280}
  cells: {set: tlc_3d_48}
  condition: {pe_cycles: 2000}
)";
constexpr std::uint64_t page_sectors = 16;

const std::vector<std::vector<std::string>> codes = {
    {"ecc.codec=ldpc", "ecc.ldpc_parity_bytes=512"},
    {"ecc.codec=bch", "ecc.correctable_bits=55"},
    {"ecc.codec=bch", "ecc.codeword_bytes=1024", "ecc.correctable_bits=72"},
    {"ecc.codec=concatenated", "ecc.correctable_bits=24", "ecc.ldpc_parity_bytes=512"},
};

TEST_CASE("bytes come back equal through cells and codecs") {
  for (const std::vector<std::string>& code : codes) {
    CAPTURE(code);
    Simulation simulation(configure(device, code));
    CheckedDevice checked(simulation, simulation.capacity_bytes() / sector_bytes);
    std::uint64_t wrong = 0;
    for (int k = 0; k < 150; ++k) wrong += checked.random_command();
    wrong += checked.read_everything();
    CHECK(wrong == 0);
    const Value statistics = simulation.statistics();
    CHECK(statistics.at("ecc.corrected_bits").number() > 500);
    CHECK(statistics.at("ecc.miscorrected") == Value(0));
    CHECK(statistics.at("host.all.errors") == Value(0));
  }
}

TEST_CASE("what is there from the start reads as zeroes, through cells that are worn") {
  for (const std::string cells : {"ideal", "statistical", "per_cell"}) {
    CAPTURE(cells);
    Simulation simulation(
        configure(device, {"ecc.codec=ldpc", "simulation.cells=" + cells, "controller.precondition.occupancy=1"}));
    std::vector<std::byte> data(64 * sector_bytes, std::byte{0xa5});
    simulation.read(40, data);
    CHECK(std::all_of(data.begin(), data.end(), [](std::byte b) { return b == std::byte{0}; }));
    CHECK((simulation.statistics().at("ecc.corrected_bits").number() > 0) == (cells != "ideal"));
  }
}

TEST_CASE("data that cannot be corrected are an unrecovered read error, and marked") {
  for (const std::string cells : {"statistical", "per_cell"}) {
    CAPTURE(cells);
    Simulation simulation(
        configure(device, {"ecc.codec=ldpc", "simulation.cells=" + cells, "controller.precondition.occupancy=1",
                           "nand.cells.read_levels.retry_steps=0", "nand.condition.retention_days=365"}));
    int unreadable = 0;
    for (std::uint64_t lba = 0; lba < 40 * page_sectors; lba += page_sectors) {
      std::vector<std::byte> data(page_sectors * sector_bytes, std::byte{0xa5});
      try {
        simulation.read(lba, data);
        CHECK(std::all_of(data.begin(), data.end(), [](std::byte b) { return b == std::byte{0}; }));
      } catch (const RequestError& error) {
        ++unreadable;
        CHECK(std::string(error.what()).find("unrecovered read error") != std::string::npos);
      }
    }
    CHECK(unreadable > 20);
    CHECK(simulation.statistics().at("ecc.failed_decodes").number() == unreadable);
  }
}

// Of pages at a condition under which some fail, read without retry: the share that fails, and iterations.
struct Outcome {
  double pages;
  double failed;
  double iterations;
};

Outcome read_pages(const std::string& decoder, const std::vector<std::string>& more) {
  std::vector<std::string> overrides = {
      "ecc.codec=ldpc",
      "ecc.decoder=" + decoder,
      "simulation.cells=statistical",
      "controller.precondition.occupancy=1",
      "nand.cells.read_levels.retry_steps=0",
      "nand.cells.variation.width_sigma=0",
      "nand.cells.variation.shift_sigma=0",
      "host.workload={read_percent: 100, block_bytes: 8192, requests: 3000, queue_depth: 8}"};
  overrides.insert(overrides.end(), more.begin(), more.end());
  Simulation simulation(configure(device, overrides));
  simulation.run({});
  const Value statistics = simulation.statistics();
  return {statistics.at("ecc.decoded_pages").number(), statistics.at("ecc.failed_decodes").number(),
          statistics.at("ecc.iterations").number()};
}

TEST_CASE("the table of a code and its decoder agree in the device") {
  // Retention that takes some of the pages into the waterfall.
  const std::vector<std::string> condition = {"nand.condition.pe_cycles=500", "nand.condition.retention_days=2"};
  const Outcome table = read_pages("table", condition), real = read_pages("bit_true", condition);
  CHECK(table.pages == real.pages);
  const double share = (table.failed + real.failed) / (2 * table.pages);
  CAPTURE(table.failed, real.failed, table.iterations, real.iterations);
  CHECK(share > 0.02);
  CHECK(share < 0.98);
  CHECK(std::abs(table.failed - real.failed) < 3 * std::sqrt(2 * table.pages * share * (1 - share)));
  // A codeword's iterations deviate by some 3 from each other.
  CHECK(std::abs(table.iterations - real.iterations) < 3 * 5 * std::sqrt(2 / (2 * table.pages)));
}

}  // namespace
}  // namespace nandscape

// SPDX-License-Identifier: Apache-2.0
// Sends data through the whole machine with real codecs. Data that were written over NVMe must be read back equal,
// after programming, sensing and decoding, or the read command must fail. Another test checks that the failure table of
// a code and its real decoder give the same results in one device.
#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "catch.h"
#include "checked_device.h"
#include "core/error.h"
#include "core/random.h"
#include "ecc/codes/codec.h"
#include "nand/cell_models/per_cell_cells.h"
#include "nand/die.h"
#include "platform/config/configuration.h"
#include "scenario.h"

namespace nandscape {
namespace {

// A device with 3 MiB of flash and two codewords per page.
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

TEST_CASE("bytes written through cells and codecs are read back equal") {
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

TEST_CASE("preconditioned data read as zeroes through worn cells") {
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

TEST_CASE("uncorrectable data give an unrecovered read error") {
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

// Uses one block. Its wordlines are adjusted one after another as their LSB pages become invalid, some of them twice.
// The remaining valid pages must still be read correctly.
TEST_CASE("adjusted wordlines return their bytes through cells and a codec") {
  struct Kind {
    const char* coding;
    const char* cells;
    std::uint32_t cycles;
    nand::InterferenceParameters coupling;
  };
  const Kind kinds[] = {{"tlc_124", "tlc_3d_48", 1000, {.vertical = 0.01}},
                        {"tlc_232", "tlc_3d_48", 1000, {}},
                        {"mlc_12", "mlc_planar_72nm", 1000, {.vertical = 0.02, .diagonal = 0.003}},
                        {"qlc_1248", "qlc_3d", 100, {.vertical = 0.004}}};
  for (const Kind& kind : kinds) {
    CAPTURE(kind.coding);
    const ecc::Code code{.payload_bytes = 1024, .correctable_bits = 72};
    const std::unique_ptr<ecc::Codec> codec = ecc::make_codec(code);
    constexpr std::uint32_t page_bytes = 4096;
    const std::uint32_t parity = codec->parity_bytes();
    const PageLayout layout{page_bytes, 4 * parity, 1024, parity, codec->codeword_bits()};
    nand::NandParameters p = load_configuration("bare", {parse_override("simulation.cells=per_cell"),
                                                         parse_override("nand.cells.set=" + std::string(kind.cells)),
                                                         parse_override("nand.coding=" + std::string(kind.coding))})
                                 .parameters.nand;
    p.geometry = {};
    p.geometry.planes_per_die = 1;
    p.geometry.blocks_per_plane = 1;
    p.geometry.page_bytes = page_bytes;
    p.geometry.spare_bytes = layout.spare_bytes;
    p.timing.read = nand::ReadTime::senses;
    p.condition.pe_cycles = kind.cycles;
    p.cells.interference = kind.coupling;
    p.cells.failures = {};
    const std::uint32_t bits = nand::coding_named(kind.coding).pages();
    constexpr std::uint32_t wordlines = 16;
    p.geometry.pages_per_block = wordlines * bits;
    const Geometry geometry{.planes_per_die = 1,
                            .blocks_per_plane = 1,
                            .pages_per_block = p.geometry.pages_per_block,
                            .page_bytes = page_bytes,
                            .spare_bytes = layout.spare_bytes};
    const nand::NandTiming timing(p);
    const nand::CellDevice cell_device(p, layout);
    nand::PerCellCells cells(cell_device, 7, "die");
    nand::PageStore store(layout, nand::PageStore::Spare::kept);
    nand::Die die("die", geometry, timing, &store, &cells);
    const auto complete = [&](NandCommand& c) {
      const Tick end = die.issue(c, 0);
      die.finish(end);
      die.release(end);
      return c.status;
    };

    RandomStream random(11, kind.coding);
    std::vector<std::vector<std::byte>> written;
    NandCommand c;
    c.operation = NandOperation::erase;
    complete(c);
    for (c.page = 0; c.page < p.geometry.pages_per_block; ++c.page) {
      std::vector<std::byte>& page = written.emplace_back(layout.total_bytes());
      for (std::uint32_t k = 0; k < page_bytes; ++k) page[k] = static_cast<std::byte>(random() & 0xff);
      for (std::uint32_t k = 0; k < 4; ++k) codec->encode(&page[layout.payload_byte(k)], &page[layout.parity_byte(k)]);
      c.operation = NandOperation::program;
      c.data = page.data();
      REQUIRE(complete(c) == NandStatus::pass);
    }
    die.advance(24, 40);

    // Reads all pages, stepping through the retry table until each is corrected.
    std::vector<std::uint32_t> left(wordlines, (1u << bits) - 1);
    const auto check_pages = [&] {
      for (std::uint32_t page = 0; page < p.geometry.pages_per_block; ++page) {
        CAPTURE(page);
        std::vector<std::byte> data(layout.total_bytes());
        NandCommand read;
        read.page = page;
        read.bytes = page_bytes;
        read.data = data.data();
        const bool valid = (left[page / bits] >> page % bits & 1) != 0;
        bool corrected = false;
        for (std::uint32_t step = 0; step <= p.cells.read_levels.retry_steps && !corrected; ++step) {
          read.retry_step = static_cast<std::uint8_t>(step);
          complete(read);
          corrected = true;
          for (std::uint32_t k = 0; k < 4; ++k) {
            corrected &= codec->decode(&data[layout.payload_byte(k)], &data[layout.parity_byte(k)]).corrected;
          }
          if (!valid) break;
        }
        CHECK(corrected == valid);
        // Only the page's payload is compared. The last bits of the parity area belong to no codeword and may differ.
        if (valid) CHECK(std::equal(data.begin(), data.begin() + page_bytes, written[page].begin()));
      }
    };
    const auto adjust = [&](std::uint32_t wordline, std::uint32_t valid) {
      NandCommand command;
      command.operation = NandOperation::adjust_voltage;
      command.page = wordline * bits;
      command.valid_pages = static_cast<std::uint8_t>(valid);
      CHECK(complete(command) == NandStatus::pass);
      left[wordline] = valid;
    };
    check_pages();
    for (std::uint32_t w = 0; w < wordlines; ++w) adjust(w, (1u << bits) - 2);
    check_pages();
    if (bits == 2) continue;
    for (std::uint32_t w = 0; w < wordlines; w += 3) adjust(w, (1u << bits) - 4);
    check_pages();
  }
}

// Results at a condition under which some first reads fail: the number of pages read without retries, how many of these
// failed, and the mean number of decoder iterations.
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
  // The retention time is chosen so that some of the pages are in the waterfall region of the code.
  const std::vector<std::string> condition = {"nand.condition.pe_cycles=500", "nand.condition.retention_days=2"};
  const Outcome table = read_pages("table", condition), real = read_pages("bit_true", condition);
  CHECK(table.pages == real.pages);
  const double share = (table.failed + real.failed) / (2 * table.pages);
  CAPTURE(table.failed, real.failed, table.iterations, real.iterations);
  CHECK(share > 0.02);
  CHECK(share < 0.98);
  CHECK(std::abs(table.failed - real.failed) < 3 * std::sqrt(2 * table.pages * share * (1 - share)));
  // The tolerance assumes a standard deviation of 5 iterations per codeword; the actual one is about 3.
  CHECK(std::abs(table.iterations - real.iterations) < 3 * 5 * std::sqrt(2 / (2 * table.pages)));
}

}  // namespace
}  // namespace nandscape

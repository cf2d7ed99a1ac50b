// SPDX-License-Identifier: Apache-2.0
// Wordlines whose cells are divided among several threads.
#include <algorithm>
#include <memory>
#include <stdexcept>
#include <vector>

#include "catch.h"
#include "cell_devices.h"
#include "nand/cell_models/per_cell_cells.h"
#include "nand/cells/cell_pieces.h"
#include "nand/coding/merging.h"
#include "nand/ispp/ispp.h"

namespace nandscape::nand {
namespace {

// Everything that the cells of a die give in a sequence of operations.
struct Outcome {
  std::vector<std::vector<std::byte>> pages;
  std::vector<std::vector<std::uint8_t>> ones;
  std::vector<std::vector<std::uint16_t>> errors;
  std::vector<std::vector<float>> vth;

  bool operator==(const Outcome&) const = default;
};

class Die {
 public:
  explicit Die(std::size_t threads)
      : device_(parameters(), PageLayout::sharing_spare(4096, 512, 1024), std::make_shared<ConstantTemperature>(30),
                std::make_shared<WorkTeam>(threads)),
        cells_(device_, 5, "die") {}

  // Programs wordlines with and without data, adjusts one of them, and reads all, and some that were never programmed.
  Outcome operate() {
    const Merging merging = merge(device_.coding, 0b110);
    CHECK(cells_.erase(block, 0));
    for (std::uint32_t wordline = 0; wordline < 4; ++wordline) {
      for (std::uint32_t type = 0; type < 3; ++type) {
        const std::vector<std::byte> page = random_page();
        CHECK(cells_.program({.where = {block, wordline},
                              .coding = &device_.coding,
                              .page_type = type,
                              .data = wordline < 3 ? page.data() : nullptr,
                              .data_bytes = device_.layout.page_bytes},
                             0));
      }
    }
    CHECK(cells_.adjust({{block, 1}, &device_.coding, &merging, 4}, ninety_days));
    for (std::uint32_t wordline = 0; wordline < 4; ++wordline) {
      sense({block, wordline}, 1, wordline == 1 ? merging.coding : device_.coding, 4);
    }
    for (std::uint32_t wordline = 0; wordline < 3; ++wordline) {
      sense({BlockInDie(1), wordline}, 3, device_.coding, device_.wordlines_per_block);
    }
    return outcome_;
  }

 private:
  static constexpr BlockInDie block{2};
  static constexpr Tick ninety_days = Tick{90 * 24 * 3600} * 1'000'000'000'000;

  static NandParameters parameters() {
    NandParameters p = small_die();
    p.condition.pe_cycles = 3000;
    return p;
  }

  std::vector<std::byte> random_page() {
    std::vector<std::byte> page(device_.layout.total_bytes());
    for (std::byte& byte : page) byte = static_cast<std::byte>(random_() & 0xff);
    return page;
  }

  void sense(WordlineAddress where, std::uint32_t sensing_levels, const Coding& coding, std::uint32_t programmed) {
    for (std::uint32_t type = 0; type < coding.pages(); ++type) {
      std::vector<std::byte> page(device_.layout.total_bytes());
      std::vector<std::uint8_t> ones(8 * page.size());
      std::vector<std::uint16_t> errors(device_.layout.codewords());
      SenseOrder order = whole_page(device_, where, type);
      order.coding = &coding;
      order.programmed_wordlines = programmed;
      order.data = page.data();
      order.codeword_errors = errors;
      order.sensing_levels = sensing_levels;
      if (sensing_levels > 1) order.sensed_ones = ones;
      const SenseResult result = cells_.sense(order, ninety_days);
      CHECK(result.raw_bit_errors > 0);
      outcome_.pages.push_back(page);
      outcome_.ones.push_back(ones);
      outcome_.errors.push_back(errors);
      outcome_.vth.push_back(cells_.threshold_voltages(order, ninety_days));
    }
  }

  const CellDevice device_;
  PerCellCells cells_;
  RandomStream random_{1, "pages"};
  Outcome outcome_;
};

}  // namespace

TEST_CASE("cells of a wordline are programmed, adjusted and read alike by one and by several threads") {
  const Outcome alone = Die(1).operate();
  for (const std::size_t threads : {2, 3, 5}) {
    CAPTURE(threads);
    CHECK(Die(threads).operate() == alone);
  }
}

TEST_CASE("pieces cover each cell of a wordline once, for one and for several threads") {
  for (const std::size_t threads : {1, 2, 7, 64}) {
    WorkTeam team(threads);
    for (const std::size_t cells : {0, 1, 512, 4000, 36864, 36865}) {
      CAPTURE(threads, cells);
      std::vector<int> visits(cells);
      CellPieces(cells, &team).for_each([&](CellRange range) {
        if (range.first % block_cells != 0 || range.end > cells) throw std::logic_error("a piece is out of place");
        for (std::size_t k = range.first; k < range.end; ++k) ++visits[k];
      });
      CHECK(std::ranges::all_of(visits, [](int count) { return count == 1; }));
    }
  }
}

TEST_CASE("a wordline takes the same pulses and verifies by one and by several threads") {
  constexpr std::size_t cells = 30000;
  const IsppSetup setup = ispp_setup(small_die().cells);
  const auto program = [&](std::size_t threads, std::vector<float>& vth) {
    WorkTeam team(threads);
    std::vector<std::uint8_t> state(cells);
    random_states(state.data(), cells, 8, 1);
    erase_draw(vth.data(), cells, -2500, 200, 1);
    return program_wordline(vth.data(), state.data(), CellPieces(cells, &team), setup, 1);
  };
  std::vector<float> alone(cells);
  const IsppResult expected = program(1, alone);
  for (const std::size_t threads : {2, 3, 5}) {
    CAPTURE(threads);
    std::vector<float> vth(cells);
    const IsppResult result = program(threads, vth);
    CHECK(result.pulses == expected.pulses);
    CHECK(result.verifies == expected.verifies);
    CHECK(vth == alone);
  }
}

}  // namespace nandscape::nand

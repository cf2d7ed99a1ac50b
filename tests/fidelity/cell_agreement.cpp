// SPDX-License-Identifier: Apache-2.0
// Tests that the statistical cell model and the per-cell simulation describe the same cells. At random conditions,
// their error rates and their numbers of retry steps may differ only by the sampling error.
#include <cmath>
#include <string>

#include "catch.h"
#include "core/random.h"
#include "nand/cell_models/per_cell_cells.h"
#include "nand/cell_models/statistical_cells.h"
#include "platform/config/configuration.h"

using namespace nandscape;

namespace {

constexpr std::uint32_t codeword_bytes = 1024;
constexpr double correctable = 72;

// The same die in both models, with the same variation between wordlines.
struct Dies {
  explicit Dies(const nand::CellDevice& device, std::uint64_t seed)
      : statistical(device, seed, "die"), per_cell(device, seed, "die") {}

  nand::StatisticalCells statistical;
  nand::PerCellCells per_cell;
};

nand::CellDevice make_device(const std::string& set, const std::string& coding, std::uint32_t cycles, double days,
                             double temperature_c, std::uint64_t reads) {
  const Configuration configuration =
      load_configuration("bare", {parse_override("simulation.cells=per_cell"), parse_override("nand.cells.set=" + set),
                                  parse_override("nand.coding=" + coding),
                                  parse_override("nand.condition.pe_cycles=" + std::to_string(cycles)),
                                  parse_override("nand.condition.retention_days=" + std::to_string(days)),
                                  parse_override("nand.condition.temperature_c=" + std::to_string(temperature_c)),
                                  parse_override("nand.condition.block_reads=" + std::to_string(reads))});
  return {configuration.parameters.nand, codeword_bytes};
}

nand::SenseOrder read_of(const nand::CellDevice& device, nand::WordlineAddress where, std::uint32_t page_type,
                         std::uint32_t step) {
  nand::SenseOrder order;
  order.where = where;
  order.coding = &device.coding;
  order.page_type = page_type;
  order.retry_step = step;
  order.bytes = device.layout.page_bytes;
  order.programmed_wordlines = device.wordlines_per_block;
  return order;
}

// Returns the first retry step at which the page is correctable, or the number of the last step plus one if there is
// none.
std::uint32_t retry_steps(nand::CellArray& cells, const nand::CellDevice& device, nand::WordlineAddress where,
                          std::uint32_t page_type) {
  const std::uint32_t last = device.cells.read_levels.retry_steps;
  std::uint32_t step = 0;
  while (step <= last && cells.sense(read_of(device, where, page_type, step), 0).worst_codeword_errors > correctable) {
    ++step;
  }
  return step;
}

}  // namespace

TEST_CASE("the closed form and the per-cell simulation misread alike") {
  struct Kind {
    const char* set;
    const char* coding;
    std::uint32_t most_cycles;
  };
  const Kind kinds[] = {{"tlc_3d_48", "tlc_232", 3000},
                        {"tlc_3d_48", "tlc_124", 3000},
                        {"mlc_planar_15k", "mlc_13", 20000},
                        {"mlc_planar_72nm", "mlc_12", 3000},
                        {"qlc_3d", "qlc_4434", 1000}};
  RandomStream random(20260101, "agreement");
  constexpr int conditions = 20;
  constexpr std::uint32_t wordlines = 12;
  for (int k = 0; k < conditions; ++k) {
    const Kind& kind = kinds[k % std::size(kinds)];
    const auto cycles = static_cast<std::uint32_t>(random.below(kind.most_cycles + 1));
    const double days = std::pow(10, 3 * random.uniform() - 0.4);
    const double temperature = 25 + 60 * random.uniform();
    const nand::CellDevice device =
        make_device(kind.set, kind.coding, cycles, days, temperature, random.below(200'000));
    Dies dies(device, random());
    INFO(kind.set << " " << kind.coding << " " << cycles << " cycles, " << days << " days, " << temperature << " C");
    const double bits = device.layout.page_bytes * device.layout.bits_per_byte();
    for (std::uint32_t type = 0; type < device.coding.pages(); ++type) {
      double counted = 0;
      double expected = 0;
      double steps_difference = 0;
      double steps_square = 0;
      for (std::uint32_t w = 0; w < wordlines; ++w) {
        const nand::WordlineAddress where{BlockInDie(w / 4), 1 + w * 7 % (device.wordlines_per_block - 2)};
        counted += dies.per_cell.sense(read_of(device, where, type, 0), 0).raw_bit_errors;
        // The statistical model draws the number of errors. The mean of many draws is close to the mean of its closed
        // form.
        constexpr int draws = 50;
        for (int d = 0; d < draws; ++d) {
          expected += dies.statistical.sense(read_of(device, where, type, 0), 0).raw_bit_errors / double{draws};
        }
        if (device.cells.read_levels.retry_steps > 0) {
          const double difference = static_cast<double>(retry_steps(dies.per_cell, device, where, type)) -
                                    static_cast<double>(retry_steps(dies.statistical, device, where, type));
          steps_difference += difference;
          steps_square += difference * difference;
        }
      }
      const double deviation = std::sqrt(std::max(expected, 1.0) * (1 + 1.0 / 50));
      INFO("page " << type << ": " << counted << " errors counted, " << expected << " expected in " << wordlines * bits
                   << " bits; steps differ by " << steps_difference);
      CHECK(std::abs(counted - expected) < 3 * deviation);
      CHECK(std::abs(steps_difference) <= 3 * std::sqrt(std::max(steps_square, 1.0)));
    }
  }
}

// SPDX-License-Identifier: Apache-2.0
// Compares soft reads of the modelled cells with the sensing channel that the code tables assume. Also finds how many
// sensing levels the pages of a 3D block need as they age.
#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <memory>
#include <string>
#include <vector>

#include "catch.h"
#include "core/random.h"
#include "ecc/codes/sensing_channel.h"
#include "ecc/page_coders/bit_true_coder.h"
#include "nand/cell_models/per_cell_cells.h"
#include "nand/cell_models/statistical_cells.h"
#include "platform/config/configuration.h"
#include "platform/config/flash_device_parameters.h"
#include "platform/studies/cell_study.h"

using namespace nandscape;

namespace {

ecc::EccParameters ldpc(std::uint32_t payload_bytes, std::uint32_t parity_bytes) {
  ecc::EccParameters p;
  p.codec.name = "ldpc";
  p.codeword_bytes = payload_bytes;
  p.ldpc_parity_bytes = parity_bytes;
  p.decoder.name = "table";
  return p;
}

// Returns the RBER at which a SensingChannel with `levels` levels has the given mutual information.
double equivalent_rber(double information, std::uint32_t levels) {
  double low = 1e-9;
  double high = 0.3;
  for (int k = 0; k < 60; ++k) {
    const double middle = std::sqrt(low * high);
    (ecc::SensingChannel(middle, levels).mutual_information() > information ? low : high) = middle;
  }
  return low;
}

// Encodes pages of random bytes, soft-reads them from modelled cells, and decodes them with a real decoder.
struct SoftReads {
  SoftReads(const ecc::EccParameters& parameters, const std::vector<Override>& overrides)
      : ecc(parameters),
        table(code_table_of(ecc)),
        device(
            [&] {
              std::vector<Override> all = {
                  {"simulation.cells", "per_cell"},          {"nand.cells.set", "tlc_3d_48"},
                  {"nand.geometry.page_bytes", 8192},        {"nand.geometry.spare_bytes", 1104},
                  {"nand.condition.temperature_c", 85},      {"nand.cells.variation.layers", 1},
                  {"nand.cells.variation.width_sigma", 0.0}, {"nand.cells.variation.shift_sigma", 0.0}};
              all.insert(all.end(), overrides.begin(), overrides.end());
              return load_configuration("bare", all).parameters.nand;
            }(),
            ecc::page_layout(ecc, 8192, 1104)),
        coder(ecc::code_of(ecc), device.layout) {}

  struct Sum {
    double codewords = 0;
    double errors = 0;
    double failures = 0;
    // numbers of failures that the table predicts: for the actual errors, and for fewer and for more errors by the
    // margin
    double expected = 0, least = 0, most = 0;
  };

  Sum read(nand::CellArray& cells, std::uint32_t levels, std::uint32_t wordlines, double margin) {
    const PageLayout& layout = device.layout;
    std::vector<std::uint8_t> ones(8 * layout.total_bytes());
    std::vector<std::uint16_t> errors(layout.codewords());
    Sum sum;
    for (std::uint32_t w = 0; w < wordlines; ++w) {
      std::vector<std::byte> page(layout.total_bytes());
      for (std::uint32_t k = 0; k < layout.page_bytes; ++k) page[k] = static_cast<std::byte>(random() & 0xff);
      EccJob job;
      job.kind = EccKind::encode;
      job.bytes = layout.page_bytes;
      job.data = page.data();
      coder.encode(job);
      nand::SenseOrder order;
      order.where = {BlockInDie(w % 8), 1 + w * 7 % (device.wordlines_per_block - 2)};
      order.coding = &device.coding;
      order.page_type = 1;
      order.bytes = layout.page_bytes;
      order.programmed_wordlines = device.wordlines_per_block;
      order.data = page.data();
      order.codeword_errors = errors;
      order.sensing_levels = levels;
      order.sensed_ones = ones;
      const double misread = cells.sense(order, 0).misread_probability;
      for (std::uint32_t k = 0; k < layout.codewords(); ++k) {
        EccJob decode;
        decode.data = page.data();
        decode.first_byte = layout.payload_byte(k);
        decode.bytes = layout.codeword_bytes;
        decode.sensing_levels = static_cast<std::uint8_t>(levels);
        decode.sensed_ones = ones;
        decode.codeword_errors = std::span(errors).subspan(k, 1);
        coder.decode(decode);
        const auto fails = [&](double share) {
          const auto errors_of_it = static_cast<std::uint32_t>(std::lround(share * errors[k]));
          return table.failure_probability(levels, errors_of_it, share * misread);
        };
        ++sum.codewords;
        sum.errors += errors[k];
        sum.failures += decode.uncorrectable;
        sum.expected += fails(1);
        sum.least += fails(1 - margin);
        sum.most += fails(1 + margin);
      }
    }
    return sum;
  }

  ecc::EccParameters ecc;
  ecc::CodeTable table;
  nand::CellDevice device;
  ecc::BitTrueCoder coder;
  RandomStream random{20260102, "pages"};
};

}  // namespace

TEST_CASE("levels around the optimum give as much information as in the channel of the tables") {
  for (const std::string set : {"tlc_3d_48", "qlc_3d"}) {
    const CellStudy study(load_configuration(
        "bare", {{"nand.cells.set", set}, {"nand.coding", set == "qlc_3d" ? "qlc_4434" : "tlc_232"}}));
    for (const double pe_cycles : {0.0, 1000.0, 3000.0}) {
      WordlineCondition wordline;
      wordline.pe_cycles = pe_cycles;
      wordline.months = 1;
      // Finds the retry step with the lowest RBER.
      std::uint32_t step = 0;
      for (std::uint32_t k = 0; k <= 40; ++k) {
        if (study.rber(1, wordline, k) < study.rber(1, wordline, step)) step = k;
      }
      const double hard = equivalent_rber(nand::mutual_information(study.soft_regions(1, wordline, step, 1, 0)), 1);
      for (std::uint32_t levels = 2; levels <= 7; ++levels) {
        double most = 0;
        for (double spacing = 4; spacing < 120; spacing += 2) {
          most = std::max(most, nand::mutual_information(study.soft_regions(1, wordline, step, levels, spacing)));
        }
        CAPTURE(set, pe_cycles, levels, hard);
        CHECK(equivalent_rber(most, levels) == Approx(hard).epsilon(0.11));
      }
    }
  }
}

TEST_CASE("real decoders fail on soft reads of cells about as often as their table says") {
  struct Read {
    std::uint32_t levels;
    double tail_mv;  // placement tail at which a considerable share of the codewords fails
    double days;     // days of retention, after which the states have drifted away from the read levels
  };
  for (const Read& read : {Read{1, 112, 0},
                           {2, 125, 0},
                           {3, 131, 0},
                           {5, 134, 0},
                           {7, 135, 0},
                           {2, 63.65, 3.1},
                           {3, 63.65, 3.6},
                           {7, 63.65, 4.0}}) {
    // The table must predict the number of failures if the number of errors is changed by at most this share. Retention
    // puts all errors on one side of the read levels. Their arrangement then differs from the one that the decoder
    // assumes, so the margin is wider.
    const double margin = read.days == 0 ? 0.05 : 0.1;
    SoftReads reads(ldpc(2048, 256),
                    {{"nand.cells.placement.tail_mv", read.tail_mv}, {"nand.condition.retention_days", read.days}});
    for (const bool one_by_one : {false, true}) {
      std::unique_ptr<nand::CellArray> cells;
      if (one_by_one) {
        cells = std::make_unique<nand::PerCellCells>(reads.device, 3, "die");
      } else {
        cells = std::make_unique<nand::StatisticalCells>(reads.device, 3, "die");
      }
      const SoftReads::Sum sum = reads.read(*cells, read.levels, 48, margin);
      std::printf(
          "%u levels, %s, %s: RBER %.2e, %.0f codewords, %.0f failed, %.1f expected by the table\n", read.levels,
          read.days == 0 ? "at the optimum" : "drifted away", one_by_one ? "per cell" : "statistical",
          sum.errors / sum.codewords / reads.device.layout.codeword_bits, sum.codewords, sum.failures, sum.expected);
      const auto deviation = [&](double failures) {
        return 3 * std::sqrt(failures * (1 - failures / sum.codewords)) + 2;
      };
      CAPTURE(read.levels, read.tail_mv, read.days, one_by_one, sum.failures, sum.least, sum.expected, sum.most);
      CHECK(sum.failures >= sum.least - deviation(sum.least));
      CHECK(sum.failures <= sum.most + deviation(sum.most));
      // The bounds must be far enough apart: if almost no codewords or almost all of them failed, the checks would
      // prove nothing.
      CHECK(sum.most - sum.least > 0.3 * sum.codewords);
    }
  }
}

// Figure 2b of [Nie 2020, "Layer RBER Variation Aware Read Performance Optimization for 3D Flash Memories"] shows three
// layers that need 1, up to 4 and up to 6 levels within 15 days. In this model, the second level already gives most of
// the gain of all levels. The pages of a layer therefore need two levels for a while, and go from there to seven within
// a few days.
TEST_CASE("the pages of a block's layers need more sensing levels at different ages") {
  const Configuration configuration =
      load_configuration("bare", {{"nand.cells.set", "tlc_3d_48"}, {"simulation.cells", "statistical"}});
  const CellStudy study(configuration);
  const ecc::CodeTable table = code_table_of(ldpc(4096, 512));
  const double months_per_day = nand::arrhenius_factor(configuration.parameters.nand.cells.retention, 25) * 24 / 730;
  constexpr std::uint32_t codewords = 4;
  constexpr int unreadable = 8;
  // Returns the smallest number of levels at which a page is readable with a probability of at least one half, at the
  // default read levels. Returns `unreadable` if no number of levels is sufficient.
  const auto levels_needed = [&](std::uint32_t layer, std::uint32_t page, double days) {
    WordlineCondition wordline;
    wordline.layer = layer;
    wordline.months = days * months_per_day;
    wordline.temperature_c = 30;
    const double rber = study.rber(page, wordline, 0);
    for (int levels = 1; levels < unreadable; ++levels) {
      const double failing = table.frame_error_rate(static_cast<std::uint32_t>(levels), rber).rate;
      if (std::pow(1 - failing, codewords) >= 0.5) return levels;
    }
    return unreadable;
  };
  // the best layer, a layer in the middle, and the worst layer
  constexpr std::array<std::uint32_t, 3> layers = {47, 24, 0};
  // days until CSB pages need more than this number of levels, by layer and number
  std::array<std::array<double, 9>, 3> until{};
  std::printf("levels needed of ldpc_4096_512 by days at 25 C, no cycles; best, middle, worst layer: LSB CSB MSB\n");
  std::array<int, 9> before{};
  before.fill(1);
  for (double days = 0.5; days <= 15; days += 0.5) {
    std::printf("%4.1f:", days);
    for (std::uint32_t k = 0; k < layers.size(); ++k) {
      std::printf("  ");
      for (std::uint32_t page = 0; page < 3; ++page) {
        const int needed = levels_needed(layers[k], page, days);
        std::printf(needed == unreadable ? " -" : " %d", needed);
        CAPTURE(days, layers[k], page);
        // Neither age nor a worse layer may reduce the number of levels that a page needs.
        CHECK(needed >= before[3 * k + page]);
        if (k > 0) CHECK(needed >= before[3 * (k - 1) + page]);
        before[3 * k + page] = needed;
        if (page != 1) continue;
        for (int levels = needed; levels < unreadable; ++levels) until[k][levels] = days;
      }
    }
    std::printf("\n");
  }
  for (std::uint32_t k = 0; k < layers.size(); ++k) {
    std::printf("layer %2u: its CSB pages are read with 1 level for %.1f days, with 2 for %.1f, with 7 for %.1f\n",
                layers[k], until[k][1], until[k][2], until[k][7]);
    // Going from one level to two must give most of the gain of going to seven.
    CHECK(until[k][2] >= 1.3 * until[k][1]);
    CHECK(until[k][7] > until[k][2]);
    CHECK(until[k][7] - until[k][2] < until[k][2] - until[k][1] + 1);
  }
  CHECK(until[0][1] >= 1.3 * until[2][1]);
  // On some days, the best layer's pages still need only hard reads while the worst layer's pages need several levels.
  CHECK(until[2][2] <= until[0][1]);
}

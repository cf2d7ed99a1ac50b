// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>

#include "catch.h"
#include "core/random.h"
#include "nand/cells/retention.h"
#include "nand/cells/wordline_reads.h"
#include "platform/config/configuration.h"
#include "platform/config/yaml_reader.h"
#include "platform/wiring/predicted_rber.h"

using namespace nandscape;

namespace {

PlatformParameters parameters_of(const std::string& text) {
  return resolve_configuration(read_yaml(text, {"drive.yaml", 1}), {}).parameters;
}

const std::string tlc = "{simulation: {cells: statistical}, nand: {coding: tlc_232, cells: {set: tlc_3d_48}}}";

double truncated_normal(RandomStream& random) {
  for (;;) {
    const double radius = std::sqrt(random.exponential(2));
    const double z = radius * std::cos(6.283185307179586 * random.uniform());
    if (std::abs(z) <= nand::variation_cutoff) return z;
  }
}

}  // namespace

TEST_CASE("the predicted error rate is the mean over wordlines drawn at random") {
  const PlatformParameters p = parameters_of(tlc);
  const PredictedRber predicted(p.nand);
  const nand::CellDevice device(p.nand, p.nand.geometry.page_bytes);
  const controller::BlockAge block = GENERATE(controller::BlockAge{0, 0, 0}, controller::BlockAge{24, 3000, 0},
                                              controller::BlockAge{8760, 1000, 10'000});
  nand::CellCondition condition;
  condition.kilocycles = block.pe_cycles / 1000.0;
  condition.retention_months = block.age_hours / hours_per_month;
  condition.kiloreads = static_cast<double>(block.reads_since_program) / 1000;
  condition.later_programs = 0.5;
  condition.read_temperature_c = p.nand.condition.temperature_c;

  RandomStream random(1, "predicted_rber");
  const nand::VariationParameters& v = device.cells.variation;
  constexpr int wordlines = 20'000;
  double sum = 0, squares = 0;
  for (int k = 0; k < wordlines; ++k) {
    const auto layer = static_cast<std::uint32_t>(random.below(v.layers));
    const nand::PageVariation page = nand::page_variation(v, nand::layer_profile(layer, v.layers),
                                                          truncated_normal(random), truncated_normal(random));
    const nand::WordlineReads wordline(device.model, device.coding, condition, page);
    const auto type = static_cast<std::uint32_t>(random.below(device.coding.pages()));
    const double rber = wordline.misread(type, 0);
    sum += rber;
    squares += rber * rber;
  }
  const double mean = sum / wordlines;
  const double error = std::sqrt((squares / wordlines - mean * mean) / wordlines);
  CAPTURE(block.age_hours, block.pe_cycles, mean, error);
  CHECK(std::abs(predicted.mean_rber(block) - mean) < 4 * error + 0.01 * mean);
}

TEST_CASE("cached predictions are close to the exact ones") {
  const PlatformParameters p = parameters_of(tlc);
  PredictedRber predicted(p.nand);
  RandomStream random(1, "conditions");
  for (int k = 0; k < 30; ++k) {
    const controller::BlockAge block{std::exp(11 * random.uniform()), static_cast<std::uint32_t>(random.below(3000)),
                                     random.below(100'000)};
    CAPTURE(block.age_hours, block.pe_cycles, block.reads_since_program);
    const double first = predicted(block);
    REQUIRE(first == Approx(predicted.mean_rber(block)).epsilon(0.05));
    REQUIRE(predicted(block) == first);
  }
  CHECK(predicted({100, 0, 0}) < predicted({10'000, 0, 0}));
  CHECK(predicted({100, 0, 0}) < predicted({100, 3000, 0}));
}

TEST_CASE("ideal cells never err, others err as their cell set predicts") {
  const controller::BlockAge old{10'000, 1000, 0};
  CHECK(rber_predictor(parameters_of("{}").nand, *nand::cell_model_registry().make({"ideal", nullptr}))(old) == 0);
  const PlatformParameters p = parameters_of(tlc);
  CHECK(rber_predictor(p.nand, *nand::cell_model_registry().make({"statistical", nullptr}))(old) ==
        PredictedRber(p.nand)(old));
}

TEST_CASE("at the correctable error rate one codeword in 100,000 has too many errors") {
  const PlatformParameters p = parameters_of("{ecc: {correctable_bits: 40}}");
  const PageLayout layout = page_layout(p.ecc, p.nand.geometry.page_bytes, p.nand.geometry.spare_bytes);
  const double mean = correctable_rber(p) * layout.codeword_bits;
  double above = 0;  // tail of a Poisson variate
  for (int errors = 41; errors < 200; ++errors)
    above += std::exp(errors * std::log(mean) - mean - std::lgamma(errors + 1.0));
  CHECK(above == Approx(1e-5).epsilon(1e-6));
}

TEST_CASE("for an LDPC code the correctable error rate is the measured one") {
  const PlatformParameters p = parameters_of("{ecc: {codec: ldpc, codeword_bytes: 4096, decoder: table}}");
  CHECK(correctable_rber(p) == Approx(7.1e-3).epsilon(0.02));  // as in README.md
}

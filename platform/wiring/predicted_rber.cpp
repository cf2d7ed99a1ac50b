// SPDX-License-Identifier: Apache-2.0
#include "platform/wiring/predicted_rber.h"

#include <array>
#include <boost/math/special_functions/gamma.hpp>
#include <cmath>
#include <memory>
#include <optional>
#include <span>

#include "ecc/measurement/code_table.h"
#include "nand/cells/retention.h"
#include "nand/cells/wordline_reads.h"

namespace nandscape {

namespace {

struct NormalNode {
  double z;
  double weight;
};

// Returns the nodes of a Gauss-Hermite quadrature over a normal distribution. It is exact for polynomials up to the
// fifth degree. If nothing varies (`sigma` is 0), one node is enough.
std::span<const NormalNode> nodes(double sigma) {
  static constexpr std::array<NormalNode, 1> constant = {{{0, 1}}};
  static constexpr double root_3 = 1.7320508075688772;
  static constexpr std::array<NormalNode, 3> normal = {{{-root_3, 1.0 / 6}, {0, 2.0 / 3}, {root_3, 1.0 / 6}}};
  if (sigma > 0) return normal;
  return constant;
}

// step_of() returns the index of a number on a logarithmic scale whose steps have the ratio `ratio`. middle_of()
// returns the number in the middle of a step. The number 0 has a separate step.
std::uint64_t step_of(double number, double ratio) {
  return static_cast<std::uint64_t>(std::llround(std::log1p(number) / std::log(ratio)));
}
double middle_of(std::uint64_t step, double ratio) { return std::pow(ratio, static_cast<double>(step)) - 1; }

}  // namespace

nand::CellCondition full_block_condition(const controller::BlockAge& block, double read_temperature_c) {
  nand::CellCondition condition;
  condition.kilocycles = block.pe_cycles / 1000.0;
  condition.retention_months = block.age_hours / hours_per_month;
  condition.kiloreads = static_cast<double>(block.reads_since_program) / 1000;
  condition.later_programs = 0.5;
  condition.read_temperature_c = read_temperature_c;
  return condition;
}

PredictedRber::PredictedRber(const nand::NandParameters& parameters)
    : device_(parameters, parameters.geometry.page_bytes) {}

double PredictedRber::mean_rber(const controller::BlockAge& block) const {
  const nand::CellCondition condition = full_block_condition(block, device_.condition.temperature_c);
  const nand::VariationParameters& v = device_.cells.variation;
  double sum = 0;
  for (std::uint32_t layer = 0; layer < v.layers; ++layer) {
    const double profile = nand::layer_profile(layer, v.layers);
    for (const NormalNode& width : nodes(v.width_sigma)) {
      for (const NormalNode& shift : nodes(v.shift_sigma)) {
        const nand::WordlineReads wordline(device_.model, device_.coding, condition,
                                           nand::page_variation(v, profile, width.z, shift.z));
        for (std::uint32_t type = 0; type < device_.coding.pages(); ++type) {
          sum += width.weight * shift.weight * wordline.misread(type, 0);
        }
      }
    }
  }
  return sum / v.layers / device_.coding.pages();
}

double PredictedRber::operator()(const controller::BlockAge& block) {
  constexpr double age_ratio = 1.02, cycles_ratio = 1.02, reads_ratio = 1.1;
  const std::uint64_t age = step_of(block.age_hours, age_ratio);
  const std::uint64_t cycles = step_of(block.pe_cycles, cycles_ratio);
  const std::uint64_t reads = step_of(static_cast<double>(block.reads_since_program), reads_ratio);
  const auto [found, is_new] = known_.try_emplace(age << 42 | cycles << 21 | reads);
  if (is_new) {
    found->second =
        mean_rber({.age_hours = middle_of(age, age_ratio),
                   .pe_cycles = static_cast<std::uint32_t>(std::lround(middle_of(cycles, cycles_ratio))),
                   .reads_since_program = static_cast<std::uint64_t>(std::llround(middle_of(reads, reads_ratio)))});
  }
  return found->second;
}

controller::RberPredictor rber_predictor(const nand::NandParameters& parameters, const nand::CellModel& cells) {
  if (!cells.has_errors()) {
    return [](const controller::BlockAge&) { return 0.0; };
  }
  return [predicted = std::make_shared<PredictedRber>(parameters)](const controller::BlockAge& block) {
    return (*predicted)(block);
  };
}

double young_rber(const nand::NandParameters& parameters, double step_mv) {
  const nand::CellDevice device(parameters, parameters.geometry.page_bytes);
  nand::CellCondition condition;
  condition.kilocycles = parameters.condition.pe_cycles / 1000.0;
  condition.read_temperature_c = parameters.condition.temperature_c;
  const nand::WordlineReads wordline(device.model, device.coding, condition, {}, step_mv);
  double sum = 0;
  for (std::uint32_t type = 0; type < device.coding.pages(); ++type) sum += wordline.misread(type, 0);
  return sum / device.coding.pages();
}

double correctable_rber(const FlashDeviceParameters& p, double frame_error_rate) {
  const std::optional<std::uint32_t> correctable = ecc::guaranteed_errors(p.ecc);
  if (!correctable) return code_table_of(p.ecc).rber_at(1, frame_error_rate);
  // The number of errors has a Poisson distribution. More errors than the code can correct occur with the probability
  // `frame_error_rate`.
  const double mean_errors = boost::math::gamma_p_inv(*correctable + 1.0, frame_error_rate);
  return mean_errors / ecc::page_layout(p.ecc, p.nand.geometry.page_bytes, p.nand.geometry.spare_bytes).codeword_bits;
}

}  // namespace nandscape

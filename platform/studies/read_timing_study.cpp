// SPDX-License-Identifier: Apache-2.0
#include "platform/studies/read_timing_study.h"

#include <optional>
#include <string>

#include "core/error.h"
#include "core/interruption.h"
#include "core/random.h"
#include "ecc/parameters.h"
#include "nand/cell_models/page_variations.h"
#include "nand/features.h"

namespace nandscape {

namespace {

constexpr std::uint32_t whole_phase = 255;  // the whole tPRE in the units of feature C0h, which are 1/255 of tPRE

void check(const ReadTimingGoal& goal, std::uint32_t blocks) {
  if (goal.margin > goal.correctable) {
    throw Error("a margin of " + std::to_string(goal.margin) + " errors is more than the " +
                std::to_string(goal.correctable) + " that the ECC corrects");
  }
  if (goal.parts < 1 || goal.parts > whole_phase) {
    throw Error("tPRE is shortened in steps of a part of 1 to " + std::to_string(whole_phase) + ", not of " +
                std::to_string(goal.parts));
  }
  if (!(goal.pages >= 1)) throw Error("the worst page is that of at least one page");
  if (blocks < 1) throw Error("at least one block is profiled");
}

// Returns the wordlines of `blocks` blocks of a die. Each wordline represents an equal share of the device.
std::vector<nand::AlikeWordlines> sampled_wordlines(const nand::CellDevice& device, std::uint64_t seed,
                                                    std::uint32_t blocks) {
  const std::uint32_t per_block = device.wordlines_per_block;
  const nand::PageVariations variations(device.cells.variation, per_block, mix64(seed) ^ hash_name("profiled"));
  const double share = 1.0 / (static_cast<double>(blocks) * per_block);
  std::vector<nand::AlikeWordlines> wordlines;
  for (const BlockInDie block : Places<BlockInDie>(blocks)) {
    interruption_point();
    for (std::uint32_t wordline = 0; wordline < per_block; ++wordline) {
      const double later_programs = static_cast<double>(per_block - 1 - wordline) / per_block;  // the block is full
      wordlines.push_back({share, variations.layer(block, wordline), variations.of(block, wordline), later_programs});
    }
  }
  return wordlines;
}

nand::CodewordLayout codewords_of(const PageLayout& layout, std::uint32_t correctable) {
  return {layout.codeword_bits, layout.codewords(), correctable};
}

const PlatformParameters& runnable(const Configuration& configuration) {
  configuration.require_allowed_plugins();
  return configuration.parameters;
}

}  // namespace

std::uint32_t guaranteed_correctable(const Configuration& configuration) {
  const ecc::EccParameters& ecc = runnable(configuration).ecc;
  if (const std::optional<std::uint32_t> errors = ecc::guaranteed_errors(ecc)) return *errors;
  throw ConfigError(
      {}, "ecc.codec",
      "a code of this kind has no guaranteed number of correctable errors; `--correctable N` gives the number per "
      "codeword for profiling");
}

ReadTimingStudy::ReadTimingStudy(const Configuration& configuration, const ReadTimingGoal& goal, std::uint32_t blocks)
    : goal_(goal),
      device_(runnable(configuration).nand,
              ecc::page_layout(configuration.parameters.ecc, configuration.parameters.nand.geometry.page_bytes,
                               configuration.parameters.nand.geometry.spare_bytes)),
      timing_(configuration.parameters.nand),
      codewords_(codewords_of(device_.layout, goal.correctable)) {
  check(goal, blocks);
  if (device_.cells.sensing.precharge_median_us == 0) {
    throw ConfigError({}, "nand.cells.sensing.precharge_median_us",
                      "is 0, so no precharge is too short: cells of the set " + device_.cells.set +
                          " give no limit for its reduction");
  }
  wordlines_ = sampled_wordlines(device_, configuration.parameters.simulation.seed, blocks);
}

std::uint8_t ReadTimingStudy::precharge_reduction(std::uint32_t pe_cycles, double months) const {
  nand::CellCondition condition;
  condition.kilocycles = pe_cycles / 1000.0;
  condition.retention_months = months;
  condition.read_temperature_c = goal_.temperature_c;
  const nand::Population pages(device_.model, device_.coding, condition, codewords_, wordlines_);

  const double most_allowed = goal_.correctable - goal_.margin;
  std::uint8_t safe = 0;
  for (std::uint32_t part = 1; part < goal_.parts; ++part) {
    const auto reduction = static_cast<std::uint8_t>(part * whole_phase / goal_.parts);
    nand::DieFeatures features(timing_);
    features.set(feature::sense_timing, {reduction, 0, 0, 0});
    if (pages.most_errors_in_retries(*features.sense_timing(), goal_.pages) > most_allowed) break;
    safe = reduction;
  }
  return safe;
}

}  // namespace nandscape

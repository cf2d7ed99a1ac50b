// SPDX-License-Identifier: Apache-2.0
#include "platform/studies/cell_study.h"

#include <cmath>
#include <stdexcept>
#include <string>

#include "core/random.h"
#include "nand/cell_models/per_cell_cells.h"
#include "nand/cells/cell_kernels.h"
#include "nand/coding/merging.h"

namespace nandscape {

namespace {

constexpr std::uint32_t most_cells = 1 << 24;
constexpr double most_cycles = 1e6;
constexpr std::uint32_t most_soft_levels = 63;

void check_below(std::uint32_t number, std::uint32_t limit, const char* what) {
  if (number >= limit) {
    throw std::invalid_argument("there is no " + std::string(what) + " " + std::to_string(number) + " among " +
                                std::to_string(limit));
  }
}

void check_range(double number, double low, double high, const char* what) {
  if (!(number >= low && number <= high)) throw std::invalid_argument(std::string(what) + " is out of its range");
}

void check_cells(std::uint32_t cells) {
  if (cells == 0 || cells > most_cells) throw std::invalid_argument("a wordline has 1 to 2^24 cells");
}

nand::CellCondition condition_of(const WordlineCondition& w) {
  check_range(w.pe_cycles, 0, most_cycles, "pe_cycles");
  check_range(w.months, 0, 1200, "months");
  check_range(w.block_reads, 0, 1e12, "block_reads");
  check_range(w.temperature_c, -273, 1000, "temperature_c");
  nand::CellCondition condition;
  condition.kilocycles = w.pe_cycles / 1000;
  condition.retention_months = w.months;
  condition.kiloreads = w.block_reads / 1000;
  condition.read_temperature_c = w.temperature_c;
  return condition;
}

nand::PageVariation page_of(const nand::VariationParameters& variation, const WordlineCondition& w) {
  if (!w.layer) return {};
  check_below(*w.layer, variation.layers, "layer");
  return nand::page_variation(variation, nand::layer_profile(*w.layer, variation.layers), 0, 0);
}

}  // namespace

CellStudy::CellStudy(const Configuration& configuration)
    : parameters_((configuration.require_allowed_plugins(), configuration.parameters.nand)),
      device_(parameters_, parameters_.geometry.page_bytes) {}

std::vector<std::uint32_t> CellStudy::senses(std::uint32_t valid_pages) const {
  const nand::Merging merging = nand::merge(device_.coding, valid_pages);
  std::vector<std::uint32_t> senses;
  for (const auto& page : merging.new_page) senses.push_back(page ? merging.coding.senses(*page) : 0);
  return senses;
}

std::vector<std::uint8_t> CellStudy::merged_states(std::uint32_t valid_pages) const {
  return nand::merge(device_.coding, valid_pages).target;
}

nand::StateDistribution CellStudy::distribution(std::uint32_t state, const WordlineCondition& w) const {
  check_below(state, device_.coding.states(), "state");
  check_range(w.step_mv, 0, 20000, "step_mv");
  return device_.model.state(device_.coding.place(state), condition_of(w), page_of(device_.cells.variation, w),
                             w.step_mv);
}

std::vector<double> CellStudy::vth_density(std::uint32_t state, std::span<const double> voltages_mv,
                                           const WordlineCondition& w) const {
  const nand::StateDistribution distribution = this->distribution(state, w);
  // The density is the share of cells in a narrow window, divided by its width. The window is so narrow that the
  // density in it is nearly constant, but wide enough for the precision of the shares.
  constexpr double window_mv = 0.5;
  std::vector<double> density;
  density.reserve(voltages_mv.size());
  for (const double v : voltages_mv) {
    density.push_back(distribution.between(v - window_mv / 2, v + window_mv / 2) / window_mv);
  }
  return density;
}

std::vector<double> CellStudy::vth_below(std::uint32_t state, std::span<const double> voltages_mv,
                                         const WordlineCondition& w) const {
  const nand::StateDistribution distribution = this->distribution(state, w);
  std::vector<double> below;
  below.reserve(voltages_mv.size());
  for (const double v : voltages_mv) below.push_back(distribution.below(v));
  return below;
}

nand::WordlineReads CellStudy::reads(const WordlineCondition& w, std::uint32_t retry_step) const {
  check_below(retry_step, device_.cells.read_levels.retry_steps + 1, "retry step");
  check_range(w.step_mv, 0, 20000, "step_mv");
  return {device_.model, device_.coding, condition_of(w), page_of(device_.cells.variation, w), w.step_mv};
}

std::vector<double> CellStudy::levels(const WordlineCondition& w, std::uint32_t retry_step) const {
  return reads(w, retry_step).levels(retry_step);
}

std::vector<StateErrors> CellStudy::state_errors(const WordlineCondition& w, std::uint32_t retry_step) const {
  const nand::WordlineReads wordline = reads(w, retry_step);
  const std::vector<double> levels = wordline.levels(retry_step);
  std::vector<StateErrors> errors(levels.size() + 1);
  for (std::size_t s = 0; s < errors.size(); ++s) {
    if (s > 0) errors[s].lower = wordline.states()[s].below(levels[s - 1]);
    if (s < levels.size()) errors[s].higher = wordline.states()[s].above(levels[s]);
  }
  return errors;
}

double CellStudy::rber(std::uint32_t page, const WordlineCondition& w, std::uint32_t retry_step) const {
  check_below(page, device_.coding.pages(), "page");
  return reads(w, retry_step).misread(page, retry_step);
}

std::vector<nand::SoftRegion> CellStudy::soft_regions(std::uint32_t page, const WordlineCondition& w,
                                                      std::uint32_t retry_step, std::uint32_t levels_per_vref,
                                                      double spacing_mv) const {
  check_below(page, device_.coding.pages(), "page");
  check_range(levels_per_vref, 1, most_soft_levels, "levels_per_vref");
  check_range(spacing_mv, 0, 20000, "spacing_mv");
  const nand::WordlineReads wordline = reads(w, retry_step);
  return nand::soft_regions(wordline, page, wordline.levels(retry_step),
                            nand::soft_offsets(levels_per_vref, spacing_mv));
}

double CellStudy::soft_spacing_mv(std::uint32_t page, const WordlineCondition& w, std::uint32_t sensing_levels) const {
  check_below(page, device_.coding.pages(), "page");
  check_range(sensing_levels, 2, most_sensing_levels, "sensing_levels");
  const nand::WordlineReads wordline = reads(w, 0);
  const double given = device_.cells.read_levels.soft_spacing_mv;
  return given > 0 ? given : nand::most_telling_spacing(wordline, page, sensing_levels);
}

nand::Population CellStudy::population(const WordlineCondition& w, const nand::CodewordLayout& layout) const {
  if (layout.bits == 0 || layout.per_page == 0)
    throw std::invalid_argument("a codeword needs bits, and a page codewords");
  return {device_.model, device_.coding, condition_of(w), layout};
}

nand::IsppSetup CellStudy::ispp(double step_mv) const {
  check_range(step_mv, 0, 20000, "step_mv");
  return nand::ispp_setup(device_.cells, step_mv);
}

ProgramTrace CellStudy::program_trace(double step_mv, std::uint64_t seed, std::uint32_t cells) const {
  check_cells(cells);
  const std::uint64_t key = mix64(seed);
  ProgramTrace trace;
  trace.cells.vth_mv.resize(cells);
  trace.cells.state.resize(cells);
  nand::random_states(trace.cells.state.data(), cells, device_.coding.states(), key);
  const nand::StateShape erased = device_.model.state(0, {}, {}).shape();
  nand::erase_draw(trace.cells.vth_mv.data(), cells, static_cast<float>(erased.lo()),
                   static_cast<float>(erased.sigma_low()), key);
  trace.result = nand::program_wordline(trace.cells.vth_mv.data(), trace.cells.state.data(), cells, ispp(step_mv), key,
                                        &trace.pulses);
  return trace;
}

CellSample CellStudy::sample(const WordlineCondition& w, std::uint64_t seed, std::uint32_t cells) const {
  check_cells(cells);
  condition_of(w);
  page_of(parameters_.cells.variation, w);
  if (w.step_mv != 0) throw std::invalid_argument("sampled wordlines are programmed with the device's own step");

  // The simulated block has many wordlines per layer, so that the share of wordlines that were programmed after the
  // sampled wordline is nearly 0.
  constexpr std::uint32_t wordlines_per_layer = 64;
  nand::NandParameters p = parameters_;
  nand::VariationParameters& variation = p.cells.variation;
  if (!w.layer) variation.layers = 1;
  variation.width_sigma = 0;
  variation.shift_sigma = 0;
  p.geometry.planes_per_die = 1;
  p.geometry.blocks_per_plane = 1;
  p.geometry.pages_per_block = wordlines_per_layer * variation.layers * device_.coding.pages();
  p.geometry.page_bytes = (cells + 7) / 8;
  p.geometry.spare_bytes = 0;
  p.condition.pe_cycles = static_cast<std::uint32_t>(std::lround(w.pe_cycles));
  p.condition.retention_days = w.months * hours_per_month / 24;
  p.condition.storage_temperature_c = 30;
  p.condition.temperature_c = w.temperature_c;
  p.condition.block_reads = static_cast<std::uint64_t>(std::llround(w.block_reads));

  const nand::CellDevice device(p, p.geometry.page_bytes);
  nand::PerCellCells array(device, seed, "sample");
  nand::SenseOrder order;
  order.where = {BlockInDie(0), w.layer.value_or(0) * wordlines_per_layer};
  order.coding = &device.coding;
  order.bytes = device.layout.page_bytes;
  order.programmed_wordlines = order.where.wordline + 2;  // the next wordline couples into it
  nand::PerCellCells::Snapshot snapshot = array.snapshot(order, 0);
  snapshot.vth.resize(cells);
  snapshot.place.resize(cells);  // with the device's coding, the placement number of a cell is its state
  return {std::move(snapshot.vth), std::move(snapshot.place)};
}

}  // namespace nandscape

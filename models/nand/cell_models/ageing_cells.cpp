// SPDX-License-Identifier: Apache-2.0
#include "nand/cell_models/ageing_cells.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "nand/cells/retention.h"
#include "nand/cells/soft_sensing.h"

namespace nandscape::nand {

namespace {

constexpr double most_step_mv = 1e5;

}  // namespace

AgeingCells::AgeingCells(const CellDevice& device, std::uint64_t seed, std::string_view die,
                         std::unique_ptr<InitialAges> ages)
    : device_(device),
      seed_(mix64(seed) ^ hash_name(die)),
      random_(seed, die),
      variations_(device.cells.variation, device.wordlines_per_block, seed_, device.first_layer),
      histories_(device.condition, device.storage_months(), device.running_months(), device.blocks_per_die,
                 std::move(ages)),
      reads_disturb_(reads_disturb(device.cells.disturb)),
      programs_disturb_(device.cells.disturb.program_shift_mv > 0),
      interferes_(device.cells.interference.any()) {}

bool AgeingCells::factory_bad(BlockInDie block) const {
  if (device_.cells.failures.factory_bad_fraction == 0) return false;
  const double draw = static_cast<double>(mix64(seed_ ^ mix64(~std::uint64_t{block.value})) >> 11) * 0x1.0p-53;
  return draw < device_.cells.failures.factory_bad_fraction;
}

bool AgeingCells::fails(double at_rated, BlockInDie block) {
  if (at_rated == 0) return false;
  return random_.uniform() < failure_probability(device_.cells.failures, at_rated, histories_.cycles(block));
}

const AgeingCells::Peculiarity* AgeingCells::known_peculiarity(WordlineAddress where) const {
  const auto found = peculiar_.find(device_.wordline_number(where));
  return found == peculiar_.end() ? nullptr : &found->second;
}

bool AgeingCells::program(const ProgramOrder& order, Tick now) {
  const bool last_page = order.page_type + 1 == order.coding->pages();
  if (last_page) histories_.program(order.where.block, order.where.wordline, aged(now));
  if (order.step_mv != 0 || order.inherited_bit_errors != 0) {
    Peculiarity& peculiarity = peculiar_[device_.wordline_number(order.where)];
    if (last_page) peculiarity.step_mv = order.step_mv;
    peculiarity.inherited[order.page_type] = order.inherited_bit_errors;
  }
  program_cells(order);
  return !fails(device_.cells.failures.program_failure, order.where.block);
}

bool AgeingCells::erase(BlockInDie block, Tick) {
  histories_.erase(block);
  for (std::uint32_t w = 0; w < device_.wordlines_per_block && !peculiar_.empty(); ++w) {
    peculiar_.erase(device_.wordline_number({block, w}));
  }
  erase_cells(block);
  return !fails(device_.cells.failures.erase_failure, block);
}

bool AgeingCells::adjust(const AdjustOrder& order, Tick now) {
  const MisreadTables::Read history = this->history(order.where, order.programmed_wordlines, now);
  if (const auto found = peculiar_.find(device_.wordline_number(order.where)); found != peculiar_.end()) {
    const std::array<std::uint32_t, 4> before = std::exchange(found->second.inherited, {});
    for (std::uint32_t page = 0; page < order.from->pages(); ++page) {
      const std::optional<std::uint32_t> new_page = order.merging->new_page[page];
      if (new_page) found->second.inherited[*new_page] = before[page];
    }
  }
  adjust_cells(order, history);
  histories_.adjust(order.where.block, order.where.wordline, aged(now));
  return !fails(device_.cells.failures.program_failure, order.where.block);
}

void AgeingCells::lose_latched_pages(WordlineAddress where) {
  peculiar_.erase(device_.wordline_number(where));
  lose_latched_cells(where);
}

void AgeingCells::advance(double hours, double temperature_c) {
  histories_.advance(hours / hours_per_month * arrhenius_factor(device_.cells.retention, temperature_c));
}

void AgeingCells::persist(Archive& archive, Tick now) {
  archive.section("cells");
  archive.expect("wordlines of a block", device_.wordlines_per_block);
  archive(random_);
  const std::uint64_t wordlines = std::uint64_t{device_.blocks_per_die} * device_.wordlines_per_block;
  const auto most_errors = static_cast<std::uint64_t>(8) * device_.layout.total_bytes();
  archive.map(peculiar_, wordlines, "the number of a wordline", [&](Peculiarity& peculiarity) {
    archive.real(peculiarity.step_mv, 0, most_step_mv, "the ISPP step of a wordline, in mV,");
    for (std::uint32_t& errors : peculiarity.inherited)
      archive.number(errors, most_errors, "the errors of a copied page");
  });
  histories_.persist(archive, aged(now), device_.wordlines_per_block);
  if (archive.loading()) check_drift(archive, now);
  persist_cells(archive);
}

// Refuses a block history for which the cell model is not valid. The model breaks down when the drift moves the top
// state of a median wordline below the lowest programmed state. A history is refused if this has happened or would
// happen within an age of 12 months.
void AgeingCells::check_drift(const Archive& archive, Tick now) const {
  const CellParameters& cells = device_.cells;
  if (device_.coding.states() == 2) return;
  const double span = cells.placement.verify_mv.back() - cells.placement.verify_mv.front();
  for (const BlockInDie block : Places<BlockInDie>(device_.blocks_per_die)) {
    const double kilocycles = histories_.cycles(block) / 1000.0;
    const double months = std::max(histories_.age_months(block, 0, aged(now)), 12.0);
    const double drift = retention_shift_mv(cells.retention, kilocycles, months);
    archive.require(drift * (1 - cells.retention.low_state_share) < span,
                    "a block is so worn, or its data so old, that its states would drift past one another");
  }
}

inline MisreadTables::Read AgeingCells::history(WordlineAddress where, std::uint32_t programmed_wordlines,
                                                Tick now) const {
  // Each distinct condition needs its own table of misread probabilities. Conditions must therefore not differ in an
  // effect that is switched off.
  const std::uint32_t later = programmed_wordlines - std::min(programmed_wordlines, where.wordline + 1);
  // The temperature is rounded to steps of 1 K from the configured temperature, because each temperature needs its own
  // table.
  const double configured = device_.condition.temperature_c;
  const double warmer = device_.temperature->celsius(now) - configured;
  const Peculiarity* const peculiarity = this->peculiarity(where);
  return {.cycles = histories_.cycles(where.block),
          .age_months = histories_.age_months(where.block, where.wordline, aged(now)),
          .reads = reads_disturb_ ? static_cast<double>(histories_.reads(where.block)) : 0,
          .later_programs = programs_disturb_ ? static_cast<double>(later) / device_.wordlines_per_block : 0,
          .step_mv = peculiarity == nullptr ? 0 : peculiarity->step_mv,
          .temperature_c = warmer == 0 ? configured : configured + std::round(warmer)};
}

MisreadTables::Read AgeingCells::reading(const SenseOrder& order, Tick now) {
  MisreadTables::Read read = history(order.where, order.programmed_wordlines, now);
  read.coding = order.coding;
  read.page_type = order.page_type;
  read.retry_step = order.retry_step;
  read.setting = device_.misreads.setting(order.timing, order.vref_offsets_mv);
  if (interferes_) read.adjusted = order.adjusted;
  return read;
}

WordlineReads AgeingCells::wordline_reads(const SenseOrder& order, const MisreadTables::Read& read) const {
  return {device_.model, *order.coding, device_.misreads.condition(read),
          variations_.of(order.where.block, order.where.wordline), read.step_mv};
}

std::vector<double> AgeingCells::levels(const MisreadTables::Read& read, const WordlineReads& wordline) const {
  return device_.misreads.levels(read, wordline, wordline.captured(read.retry_step));
}

std::vector<double> AgeingCells::offsets(const SenseOrder& order, const MisreadTables::Read& read) const {
  return soft_offsets(order.sensing_levels, device_.misreads.soft_spacing(read, order.sensing_levels));
}

SenseResult AgeingCells::sense(const SenseOrder& order, Tick now) {
  if (reads_disturb_) histories_.read(order.where.block, order.sensing_levels - order.earlier_levels);
  const MisreadTables::Read read = reading(order, now);
  std::uint32_t inherited = 0;
  if (const Peculiarity* peculiarity = this->peculiarity(order.where)) {
    inherited = peculiarity->inherited[order.page_type];
  }
  return sense_cells(order, read, inherited);
}

}  // namespace nandscape::nand

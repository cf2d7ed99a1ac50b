// SPDX-License-Identifier: Apache-2.0
#include "platform/config/configuration_checks.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "controller/migration/refresh_policy.h"
#include "controller/writing/write_mode.h"
#include "core/error.h"
#include "core/message_text.h"
#include "core/ticks.h"
#include "nand/cells/retention.h"
#include "nand/coding/coding.h"
#include "platform/config/config_errors.h"
#include "platform/config/flash_device_parameters.h"
#include "platform/config/units.h"
#include "platform/config/yaml_writer.h"

namespace nandscape {

SourceLocation source_of(const Value& tree, const std::string& path) {
  SourceLocation source = tree.source;
  const Value* value = &tree;
  for (std::size_t begin = 0; begin <= path.size();) {
    const std::size_t end = std::min(path.find('.', begin), path.size());
    value = value->find(std::string_view(path).substr(begin, end - begin));
    if (value == nullptr) break;
    source = value->source;
    begin = end + 1;
  }
  return source;
}

namespace {

// Ideal cells do not use the cell constants, unless their program time is computed from them (ISPP).
void check_cells(const PlatformParameters& p) {
  if (!cell_model_of(p.simulation)->has_errors() && p.nand.timing.program == nand::ProgramTime::given) return;
  const nand::CellParameters& cells = p.nand.cells;
  const nand::Coding& coding = nand::coding_named(p.nand.coding);
  check(cells, coding.states());
  if (p.nand.geometry.pages_per_block % coding.pages() != 0) {
    throw ConfigError({}, "nand.geometry.pages_per_block",
                      "is not a whole number of wordlines: the cells of " + p.nand.coding + " hold " +
                          std::to_string(coding.pages()) + " pages each");
  }
  // Charge loss that grows faster with voltage than the voltage itself would reverse the order of the states.
  const nand::ConditionParameters& c = p.nand.condition;
  const double months =
      c.retention_days * 24 / hours_per_month * nand::arrhenius_factor(cells.retention, c.storage_temperature_c);
  const double drift = nand::retention_shift_mv(cells.retention, c.pe_cycles / 1000.0, months) *
                       std::exp(nand::most_log_shift(cells.variation)) * (1 - cells.retention.low_state_share);
  const double span = cells.placement.verify_mv.back() - cells.placement.verify_mv.front();
  if (p.nand.coding != "slc" && drift >= span) {
    throw ConfigError({}, "nand.condition.pe_cycles",
                      "with nand.condition.retention_days drifts the top state onto the lowest one; the constants of " +
                          cells.set + " do not reach that far: take fewer cycles or less time");
  }
}

// The write mode throws for parameters that it cannot work with.
void check_write_mode(const PlatformParameters& p) {
  const controller::DriveClock clock(1);
  const controller::WriteFacts facts =
      write_facts(p, cell_model_of(p.simulation)->has_errors(), p.simulation.data == DataFidelity::stored);
  static_cast<void>(
      controller::write_mode_registry().make(p.controller.write_mode.policy, {p.controller.write_mode, facts, clock}));
}

// Each workload has its own queue pair, like each processor of a host; single commands have one more.
void check_queues(const PlatformParameters& p) {
  const std::size_t needed = p.host.workload.size() + 1;
  if (needed <= p.host.nvme.io_queues) return;
  throw ConfigError({}, "host.nvme.io_queues",
                    "the controller grants " + std::to_string(p.host.nvme.io_queues) +
                        " queue pairs but the workloads need " + std::to_string(needed) +
                        ", one of them for single commands");
}

void check_data(const PlatformParameters& p) {
  if (decoder_of(p.ecc)->has_bytes() && p.simulation.data == DataFidelity::none) {
    throw ConfigError({}, "ecc.decoder",
                      p.ecc.decoder.name +
                          " decodes bytes, and the simulation keeps none; set simulation.data to stored, or take the "
                          "decoder `table`");
  }
}

// The key that enables state mapping; empty if it is off.
std::string state_mapping_key(const PlatformParameters& p) {
  if (controller::ecc_selection_registry().make(p.ecc.selection)->maps_states()) return "ecc.state_mapping";
  const bool written_so = p.controller.write_mode.goes_by_content() && p.controller.content.state_mapping;
  return written_so ? "controller.content.state_mapping" : "";
}

// A mapped page is unreadable without the other page of its wordline.
void check_state_mapping(const PlatformParameters& p) {
  const std::string key = state_mapping_key(p);
  if (key.empty()) return;
  const auto refuse = [&](const std::string& why) { throw ConfigError({}, key, why); };
  if (refresh_policy_of(p)->adjusts_wordlines()) {
    refuse("needs both pages of a wordline to read one of them, and controller.refresh.policy: " +
           p.controller.refresh.policy.name + " leaves one; choose one of the two");
  }
  if (p.simulation.data == DataFidelity::none) return;
  if (p.ecc.scrambler && (decoder_of(p.ecc)->has_bytes() || cell_model_of(p.simulation)->reads_content())) {
    refuse("has no effect on scrambled pages, whose cells are in all states equally often; set ecc.scrambler to false");
  }
  if (p.controller.garbage_collection.copyback) {
    refuse(
        "needs both pages of a wordline to read one of them, and controller.garbage_collection.copyback takes one "
        "away from the other; set it to false");
  }
  if (p.controller.parity.stripe_dies != 0 || p.controller.fullpages.spread()) {
    refuse(
        "gathers the pages of a wordline, which controller.parity and controller.fullpages do in ways of their own; "
        "set controller.parity.stripe_dies to 0 and controller.fullpages.allocation to in_one_page");
  }
}

void check_window(const std::string& group, const std::string& file, double begin_us, double end_us) {
  if (file.empty() || begin_us < end_us) return;
  throw ConfigError({}, group + ".end_us",
                    "recording ends at " + shown(end_us) + " us and begins at " + shown(begin_us) + " us (" + group +
                        ".begin_us); let it end later");
}

void check_waves(const PlatformParameters& p) {
  const WavesParameters& waves = p.simulation.blocks.waves;
  check_window("simulation.waves", waves.file, waves.begin_us, waves.end_us);
}

void check_timeline(const PlatformParameters& p) {
  const TimelineParameters& timeline = p.simulation.timeline;
  check_window("simulation.timeline", timeline.file, timeline.begin_us, timeline.end_us);
}

}  // namespace

void check_configuration(const PlatformParameters& parameters, const Value& tree) {
  ConfigErrors errors;
  const auto run = [&](const auto& one_check) {
    try {
      one_check(parameters);
    } catch (const ConfigError& error) {
      errors.add(source_of(tree, error.path()), error.path(), error.complaint());
    } catch (const std::invalid_argument&) {
      // Expected after an earlier error: with an unknown code, later checks cannot get its properties.
      if (errors.empty()) throw;
    }
  };
  for (const FlashDeviceCheck one_check : flash_device_checks()) run(one_check);
  run(check_cells);
  run(check_data);
  run(check_queues);
  run(check_waves);
  run(check_timeline);
  // These checks compute with the cells, pages and codes, and ask the policies, so all of them must be valid.
  if (errors.empty()) run(check_state_mapping);
  if (errors.empty()) run(check_write_mode);
  errors.throw_if_any();
}

std::optional<std::string> outside_fitted_range(const nand::NandParameters& parameters) {
  const nand::ConditionParameters& condition = parameters.condition;
  const nand::FittedRangeParameters& fitted = parameters.cells.fitted;
  std::string outside;
  const auto compare = [&outside](const std::vector<double>& range, double value, const char* what) {
    // Values computed from days and temperatures may miss a bound by rounding.
    constexpr double slack = 1e-6;
    if (range.empty() || (value >= range[0] * (1 - slack) && value <= range[1] * (1 + slack))) return;
    outside += (outside.empty() ? "" : ", ") + number_text(value) + " " + what + " (fitted: " + number_text(range[0]) +
               (range[0] == range[1] ? "" : " to " + number_text(range[1])) + ")";
  };
  const double months = condition.retention_days * 24 / hours_per_month *
                        nand::arrhenius_factor(parameters.cells.retention, condition.storage_temperature_c);
  compare(fitted.pe_cycles, condition.pe_cycles, "program/erase cycles");
  compare(fitted.retention_months, months, "months at 30 °C");
  compare(fitted.temperature_c, condition.temperature_c, "°C");
  compare(fitted.block_reads, static_cast<double>(condition.block_reads), "reads of each block");
  if (outside.empty()) return std::nullopt;
  return "nand.condition is outside the range that nand.cells.set " + parameters.cells.set +
         " was fitted to, so error rates show trends only: " + outside;
}

namespace {

// Groups and keys that affect the drive's future behaviour, but not the meaning of its state.
constexpr std::array<std::string_view, 15> free_to_change = {
    "host",
    "simulation.request_log",
    "simulation.breakdown",
    "simulation.quantum_us",
    "simulation.check_protocol",
    "controller.mapping.plane",
    "controller.mapping.write_coalescing_us",
    "controller.scheduler",
    "controller.subpages",
    "controller.garbage_collection",
    "controller.read_retry",
    "controller.power_loss",
    "controller.firmware",
    "controller.cache",
    "controller.dram",
};

// The exception: the initial fill of the drive depends on it.
constexpr std::string_view fixed = "controller.garbage_collection.start_free_blocks";

bool may_differ(const std::string& path) {
  if (path == fixed) return false;
  if (fixed.starts_with(path + ".")) return false;  // a group: its keys are compared one by one
  return std::any_of(free_to_change.begin(), free_to_change.end(), [&](std::string_view free) {
    return path == free || (path.starts_with(free) && path[free.size()] == '.');
  });
}

void compare(const Value& saved, const Value& resolved, const std::string& path, const Value& given) {
  if (may_differ(path) || saved == resolved) return;
  if (saved.map_items() != nullptr && resolved.map_items() != nullptr) {
    const auto inner = [&](const std::string& key) { return path.empty() ? key : path + "." + key; };
    for (const auto& [key, value] : *saved.map_items()) {
      const Value* now = resolved.find(key);
      compare(value, now == nullptr ? Value() : *now, inner(key), given);
    }
    for (const auto& [key, value] : *resolved.map_items()) {
      if (saved.find(key) == nullptr) compare(Value(), value, inner(key), given);
    }
    return;
  }
  std::string before = write_yaml(saved);
  before.pop_back();
  throw ConfigError(source_of(given, path), path,
                    "the state of the checkpoint depends on this key, and was saved with " + before +
                        "; keep this value (workloads and policies may change)");
}

}  // namespace

void check_restorable(const Value& saved, const Value& resolved, const Value& given) {
  compare(saved, resolved, "", given);
}

}  // namespace nandscape

// SPDX-License-Identifier: Apache-2.0
#include "platform/config/configuration_checks.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "controller/writing/write_mode.h"
#include "core/error.h"
#include "core/message_text.h"
#include "core/ticks.h"
#include "nand/cells/retention.h"
#include "nand/coding/coding.h"
#include "nand/temperature_sources.h"
#include "platform/config/compatibility.h"
#include "platform/config/config_errors.h"
#include "platform/config/flash_device_parameters.h"
#include "platform/config/power_plan.h"
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

// Checks the cell constants. Ideal cells do not use them, unless the program time is computed from them (ISPP).
void check_cells(const PlatformParameters& p) {
  if (!cell_model_of(p.simulation)->has_errors() && p.nand.timing.program == nand::ProgramTime::given) return;
  check(p.nand.cells, nand::coding_named(p.nand.coding).states());
}

// Builds the configured write mode, whose constructor throws for parameters with which it cannot work.
void check_write_mode(const PlatformParameters& p) {
  const controller::DriveClock clock(1);
  const controller::WriteFacts facts =
      write_facts(p, cell_model_of(p.simulation)->has_errors(), p.simulation.data == DataFidelity::stored);
  static_cast<void>(
      controller::write_mode_registry().make(p.controller.write_mode.policy, {p.controller.write_mode, facts, clock}));
}

}  // namespace

void check_configuration(const PlatformParameters& parameters, const Value& tree) {
  using When = Incompatibility::When;
  ConfigErrors errors;
  const Settings settings(parameters);
  // Returns whether the check found nothing.
  const auto run = [&](const auto& one_check) {
    try {
      one_check();
      return true;
    } catch (const ConfigError& error) {
      errors.add(source_of(tree, error.path()), error.path(), error.complaint());
    } catch (const std::invalid_argument&) {
      // This is expected after an earlier error. For example, later checks cannot get the properties of an unknown
      // code.
      if (errors.empty()) throw;
    }
    return false;
  };
  const auto run_all = [&](std::span<const FlashDeviceCheck> checks) {
    for (const FlashDeviceCheck check : checks) run([&] { check(parameters); });
  };
  // Compares the settings with the rows of the table that have this `when`. Returns true if none of them reports a
  // contradiction.
  const auto compare = [&](When when) {
    bool none = true;
    for (const Incompatibility& row : incompatibilities()) {
      if (row.when != when) continue;
      const bool passed = run([&] {
        if (contradicts(row, settings)) throw contradiction(row, settings);
      });
      none = none && passed;
    }
    return none;
  };
  run_all(block_checks());
  run([&] { check_cells(parameters); });
  const bool codes = run([&] { check_codes(parameters); });
  // The limits of a device are computed only if its settings are compatible.
  if (compare(When::checked)) {
    if (codes) run([&] { check_codewords(parameters); });
    run_all(device_limits());
  }
  compare(When::traffic);
  // This comparison uses the cells, pages and codes, so it is made only if all of them are valid.
  if (errors.empty()) compare(When::computed);
  if (errors.empty()) run([&] { check_write_mode(parameters); });
  if (errors.empty()) run([&] { check_power(parameters); });
  errors.throw_if_any();
}

const PlatformParameters& checked(const PlatformParameters& p) {
  const Settings settings(p);
  const auto compare = [&](Incompatibility::When when) {
    for (const Incompatibility& row : incompatibilities()) {
      if (row.when == when && contradicts(row, settings)) throw contradiction(row, settings);
    }
  };
  for (const FlashDeviceCheck check : block_checks()) check(p);
  check_cells(p);
  check_codes(p);
  compare(Incompatibility::When::checked);
  check_codewords(p);
  for (const FlashDeviceCheck check : device_limits()) check(p);
  compare(Incompatibility::When::computed);
  check_power(p);
  return p;
}

std::optional<std::string> outside_fitted_range(const nand::NandParameters& parameters) {
  const nand::ConditionParameters& condition = parameters.condition;
  const nand::FittedRangeParameters& fitted = parameters.cells.fitted;
  std::string outside;
  const auto compare = [&outside](const std::vector<double>& range, double value, const char* what) {
    // Values that are computed from days and temperatures may miss a bound because of rounding.
    constexpr double slack = 1e-6;
    if (range.empty() || (value >= range[0] * (1 - slack) && value <= range[1] * (1 + slack))) return;
    outside += (outside.empty() ? "" : ", ") + number_text(value) + " " + what + " (fitted: " + number_text(range[0]) +
               (range[0] == range[1] ? "" : " to " + number_text(range[1])) + ")";
  };
  const double months = condition.retention_days * 24 / hours_per_month *
                        nand::arrhenius_factor(parameters.cells.retention, condition.storage_temperature_c);
  compare(fitted.pe_cycles, condition.pe_cycles, "program/erase cycles");
  compare(fitted.retention_months, months, "months at 30 °C");
  const TemperatureExtremes reads = nand::temperature_registry().make(condition.temperature, parameters)->extremes();
  compare(fitted.temperature_c, reads.lowest, "°C");
  if (reads.highest != reads.lowest) compare(fitted.temperature_c, reads.highest, "°C");
  compare(fitted.block_reads, static_cast<double>(condition.block_reads), "reads of each block");
  if (outside.empty()) return std::nullopt;
  return "nand.condition is outside the range that nand.cells.set " + parameters.cells.set +
         " was fitted to, so error rates show trends only: " + outside;
}

namespace {

// Groups and keys that may change when a checkpoint is restored. They may affect the drive's future behaviour, but not
// the meaning of its saved state.
constexpr std::array<std::string_view, 16> free_to_change = {
    "host",
    "simulation.request_log",
    "simulation.breakdown",
    "simulation.quantum_us",
    "simulation.threads",
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

// A key in one of these groups that must not change, since the initial fill of the drive depends on it.
constexpr std::string_view fixed = "controller.garbage_collection.start_free_blocks";

bool may_differ(const std::string& path) {
  if (path == fixed) return false;
  // The path is a group that contains the fixed key, so its keys are compared one by one.
  if (fixed.starts_with(path + ".")) return false;
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

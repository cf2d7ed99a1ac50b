// SPDX-License-Identifier: Apache-2.0
#include "platform/config/configuration_checks.h"

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <string_view>

#include "controller/migration/refresh_policy.h"
#include "controller/writing/write_mode.h"
#include "core/error.h"
#include "core/message_text.h"
#include "nand/coding/coding.h"
#include "platform/config/config_errors.h"
#include "platform/config/flash_device_parameters.h"

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
  // These compute with the cells, pages and codes, and ask the policies, so all of them must be valid.
  if (errors.empty()) run(check_state_mapping);
  if (errors.empty()) run(check_write_mode);
  errors.throw_if_any();
}

}  // namespace nandscape

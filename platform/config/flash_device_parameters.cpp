// SPDX-License-Identifier: Apache-2.0
#include "platform/config/flash_device_parameters.h"

#include <algorithm>
#include <array>
#include <numeric>
#include <stdexcept>
#include <string>

#include "channel/bus_timing.h"
#include "controller/capacity.h"
#include "controller/content/cdber_engine.h"
#include "controller/content/plugin_engine.h"
#include "core/error.h"
#include "core/message_text.h"
#include "nand/timing.h"
#include "platform/config/code_tables.h"
#include "platform/config/content_tables.h"
#include "platform/config/read_timing_tables.h"
#include "platform/config/wordline_speeds.h"
#include "protocol/nand_command.h"

namespace nandscape {

Geometry geometry_of(const FlashDeviceParameters& p) {
  const nand::NandGeometryParameters& n = p.nand.geometry;
  return {.channels = p.channel.count,
          .chips_per_channel = n.chips_per_channel,
          .dies_per_chip = n.dies_per_chip,
          .planes_per_die = n.planes_per_die,
          .blocks_per_plane = n.blocks_per_plane,
          .pages_per_block = n.pages_per_block,
          .page_bytes = n.page_bytes,
          .spare_bytes = n.spare_bytes,
          .independent_plane_reads = p.nand.independent_plane_reads};
}

namespace {

// Returns the largest number of channels that wait for one encoder.
std::uint32_t channels_per_encoder(const FlashDeviceParameters& p) {
  switch (p.ecc.engines) {
    case ecc::EngineSharing::per_channel: return 1;
    case ecc::EngineSharing::pool: return (p.channel.count + p.ecc.pool_engines - 1) / p.ecc.pool_engines;
    case ecc::EngineSharing::shared:
    case ecc::EngineSharing::shared_encoder: break;
  }
  return p.channel.count;
}

}  // namespace

controller::PageTimes page_times_of(const FlashDeviceParameters& p) {
  const nand::NandTiming timing(p.nand);
  const std::uint32_t page_bytes = p.nand.geometry.page_bytes;
  const double encode_us = p.ecc.t_encode_us + (p.ecc.encode_mb_s == 0 ? 0 : page_bytes / p.ecc.encode_mb_s);
  controller::PageTimes times;
  times.read = std::accumulate(timing.t_read.begin(), timing.t_read.end(), Tick{0}) / timing.bits_per_cell();
  times.program = timing.mean_page_program();
  times.longest_program = timing.two_passes() ? std::max(timing.t_prog_first, timing.t_prog) : timing.t_prog;
  times.bus = channel::BusTiming(p.channel, geometry_of(p)).data(page_bytes);
  times.erase = timing.t_bers;
  times.encode = channels_per_encoder(p) * ticks_from_us(encode_us);
  times.pages_per_wordline = timing.bits_per_cell();
  times.passes = timing.program_passes;
  return times;
}

controller::HoldUp hold_up_of(const FlashDeviceParameters& p) {
  return {p.controller, geometry_of(p), page_times_of(p)};
}

controller::CapacityPlan capacity_plan_of(const FlashDeviceParameters& p) {
  return controller::capacity_plan(p.controller, geometry_of(p), page_times_of(p));
}

namespace {

// Returns the raw bit error rate at which a page of the drive's code fails with the probability
// controller.content.page_failure. If the code does not guarantee a number of correctable errors, the rate is computed
// from its measurements, which do not cover every failure rate.
double correctable_content(const FlashDeviceParameters& p) {
  const double page_failure = p.controller.content.page_failure;
  const PageLayout layout = page_layout(p.ecc, p.nand.geometry.page_bytes, p.nand.geometry.spare_bytes);
  const std::optional<std::uint32_t> correctable = guaranteed_errors(p.ecc);
  try {
    if (!correctable) return code_table_of(p.ecc).rber_at(1, page_failure / layout.codewords());
    return correctable_ber({layout.codewords(), {layout.codeword_bits, 8 * layout.codeword_bytes, *correctable}},
                           page_failure);
  } catch (const std::logic_error&) {
    // The code corrects as many errors as it has bits, or no rate in the range leads to this failure probability.
    throw ConfigError(
        {}, correctable ? (decoder_of(p.ecc)->has_code() ? "ecc.codec" : "ecc.correctable_bits") : "ecc.table",
        "no raw bit error rate makes pages fail as often as controller.content.page_failure (" + shown(page_failure) +
            ") allows: " +
            (correctable ? std::to_string(*correctable) + " of the " + std::to_string(layout.codeword_bits) +
                               " bits of a codeword are corrected"
                         : "the measurements do not reach that rate") +
            "; take another code, or another rate");
  }
}

KeptData kept_for(const FlashDeviceParameters& p, double months) {
  return {1000 * p.controller.content.kept_kilocycles, months};
}

// Returns the ISPP steps that may be chosen, beginning with the device's own step.
std::vector<double> content_steps_mv(const FlashDeviceParameters& p) {
  const controller::ContentParameters& content = p.controller.content;
  std::vector<double> steps_mv{p.nand.cells.placement.step_mv};
  steps_mv.insert(steps_mv.end(), content.steps_mv.begin(), content.steps_mv.end());
  return steps_mv;
}

std::shared_ptr<controller::ContentEngine> content_engine(
    const controller::ContentParameters& p, const std::shared_ptr<const controller::WordlineSpeedTable>& speeds,
    std::uint32_t cells) {
  if (p.plugin.empty()) return std::make_shared<controller::CdberEngine>(speeds, cells, p.bound);
  try {
    return std::make_shared<controller::PluginEngine>(p.plugin, p.plugin_options, *speeds, cells);
  } catch (const std::invalid_argument& error) {
    throw ConfigError({}, "controller.content.plugin", error.what());
  }
}

}  // namespace

std::shared_ptr<const controller::ReadTimingTable> read_timing_of(const FlashDeviceParameters& p) {
  const controller::ReadRetryParameters& retry = p.controller.read_retry;
  if (!retry.needs().adapts_timing) return nullptr;
  const std::string path = "controller.read_retry.timing_table";
  if (!retry.timing_table.empty())
    return std::make_shared<controller::ReadTimingTable>(load_read_timing_table(retry.timing_table, {}, path));
  return std::make_shared<controller::ReadTimingTable>(load_read_timing_table(p.nand.cells.set, {}, path));
}

controller::RefreshContext refresh_facts(const FlashDeviceParameters& p, const nand::NandTiming& timing) {
  controller::RefreshContext facts;
  const controller::HoldUp hold_up = hold_up_of(p);
  if (hold_up.latches_last()) facts.hold_up_ms = us_from_ticks(hold_up.capacitor() - hold_up.most()) / 1000;
  facts.t_adjust_ms = us_from_ticks(timing.t_adjust) / 1000;
  facts.t_prog_ms = us_from_ticks(timing.mean_page_program()) / 1000;
  facts.read_us = [timing](std::uint32_t type, std::uint32_t valid_pages) {
    const nand::CellCodings& codings = timing.codings;
    if (valid_pages + 1 == 1u << codings.native().pages()) return timing.read_us(type, timing.senses[type]);
    const nand::Merging& merging = codings.merging(valid_pages);
    return timing.read_us(type, merging.coding.senses(*merging.new_page[type]));
  };
  facts.reads_counted = p.controller.read_disturb.limit_reads != 0;
  facts.pages_per_wordline = nand::coding_named(p.nand.coding).pages();
  return facts;
}

controller::WriteFacts write_facts(const FlashDeviceParameters& p, bool cells_have_errors, bool keeps_bytes) {
  const nand::PlacementParameters& placement = p.nand.cells.placement;
  controller::WriteFacts facts{.step_mv = placement.step_mv};
  for (std::size_t state = 1; cells_have_errors && state < placement.verify_mv.size(); ++state) {
    facts.largest_step_mv =
        std::min(facts.largest_step_mv, placement.verify_mv[state] - placement.verify_mv[state - 1]);
  }
  facts.content.cells = 8 * p.nand.geometry.page_bytes;
  facts.content.keeps_bytes = keeps_bytes;
  facts.content.parameters = p.controller.content;
  facts.content_kept_for = [p, content = facts.content](double months) {
    controller::ContentFacts with_tables = content;
    const std::vector<double> steps_mv = content_steps_mv(p);
    const double correctable = correctable_content(p);
    const bool two_bits = has_four_natural_states(nand::coding_named(p.nand.coding));
    with_tables.speeds = std::make_shared<controller::WordlineSpeedTable>(
        two_bits ? ContentTables(p.nand, kept_for(p, months)).write_speeds(steps_mv, correctable)
                 : wordline_speeds(p.nand, kept_for(p, months), steps_mv, correctable));
    if (two_bits) with_tables.engine = content_engine(p.controller.content, with_tables.speeds, with_tables.cells);
    return with_tables;
  };
  if (cells_have_errors) {
    facts.largest_step_kept_for = [p, largest = facts.largest_step_mv](double months) {
      return largest_step_mv(p.nand, kept_for(p, months), largest, correctable_content(p));
    };
  }
  return facts;
}

std::span<const FlashDeviceCheck> block_checks() {
  static constexpr std::array<FlashDeviceCheck, 4> checks = {
      [](const FlashDeviceParameters& p) { check(p.channel); },
      [](const FlashDeviceParameters& p) { check(p.nand.geometry, p.channel.count); },
      [](const FlashDeviceParameters& p) {
        if (p.nand.timing.program == nand::ProgramTime::ispp)
          check(p.nand.cells, nand::coding_named(p.nand.coding).states());
        static_cast<void>(nand::NandTiming(p.nand));
      },
      [](const FlashDeviceParameters& p) { check(p.controller.dram); },
  };
  return checks;
}

std::span<const FlashDeviceCheck> device_limits() {
  static constexpr std::array<FlashDeviceCheck, 5> checks = {
      [](const FlashDeviceParameters& p) {
        if (p.controller.fullpages.spread()) check_borrowed_parity(p);
      },
      [](const FlashDeviceParameters& p) { static_cast<void>(capacity_plan_of(p)); },
      [](const FlashDeviceParameters& p) {
        const controller::FtlGeometry mapping = controller::flash_layout(p.controller, geometry_of(p)).mapping();
        check(p.controller.precondition, mapping, capacity_plan_of(p).exported_units(),
              p.controller.garbage_collection.start_free_blocks,
              controller::entries_per_translation_page(p.controller.mapping.cache, mapping.unit_bytes()));
      },
      [](const FlashDeviceParameters& p) { static_cast<void>(read_timing_of(p)); },
      [](const FlashDeviceParameters& p) {
        check(p.controller.cache, controller::flash_layout(p.controller, geometry_of(p)).unit_bytes());
      },
  };
  return checks;
}

}  // namespace nandscape

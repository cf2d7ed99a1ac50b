// SPDX-License-Identifier: Apache-2.0
// Rows about settings of the controller that exclude each other, or that exclude settings of the cells.
#include <cmath>
#include <string>

#include "controller/flash_ops/flash_op.h"
#include "nand/cells/retention.h"
#include "platform/config/incompatibility_rows.h"
#include "platform/config/read_timing_tables.h"
#include "protocol/storage.h"

namespace nandscape {

void add_layout(Rows& rows) {
  rows.insert(
      rows.end(),
      {{{"controller.mapping.unit_bytes", "is not a page, a half or a quarter of it, or not a multiple of 512",
         [](const Settings& s) {
           const std::uint32_t unit = unit_bytes(s);
           const std::uint32_t page = s.p.nand.geometry.page_bytes;
           return page % unit != 0 || unit % sector_bytes != 0 || page / unit > controller::most_units_per_page;
         }},
        also("nand.geometry.page_bytes", "is the size of a page"),
        "a mapping unit must be a page, a half or a quarter of it, and a multiple of 512-byte sectors; 0 means a page"},
       {{"controller.parity.stripe_dies", "is 1, or does not divide the number of dies",
         [](const Settings& s) {
           const std::uint32_t stripe = s.p.controller.parity.stripe_dies;
           return stripe != 0 && (stripe < 2 || geometry_of(s.p).dies() % stripe != 0);
         }},
        also("channel.count", "gives the device its number of dies"),
        "a stripe must divide the device's",
        [](const Settings& s) {
          const std::uint32_t all = geometry_of(s.p).dies();
          std::string choices;
          for (std::uint32_t dies = 2; dies <= all; ++dies) {
            if (all % dies == 0) choices += std::to_string(dies) + ", ";
          }
          return std::to_string(all) + " dies into sets of at least 2: " + choices + "or 0 for no parity";
        }},
       {{"controller.mapping.superblock_dies", "does not divide the number of dies",
         [](const Settings& s) {
           const std::uint32_t dies = s.p.controller.mapping.superblock_dies;
           return superpages.holds(s) && dies != 0 && geometry_of(s.p).dies() % dies != 0;
         }},
        also("channel.count", "gives the device its number of dies"),
        "superblocks must divide the device's",
        [](const Settings& s) {
          const std::uint32_t all = geometry_of(s.p).dies();
          return std::to_string(all) + " dies into sets of equal size; 0 means all dies";
        }},
       {{"controller.mapping.superblock_dies", "differs from controller.parity.stripe_dies",
         [](const Settings& s) {
           const std::uint32_t dies = s.p.controller.mapping.superblock_dies;
           return superpages.holds(s) && dies != 0 && dies != s.p.controller.parity.stripe_dies;
         }},
        parity,
        "a superblock consists of the dies of one stripe set; set controller.mapping.superblock_dies to 0"},
       {copyback, superpages,
        "copyback moves pages within a plane, past the order in which superblocks are filled; leave it off, or set "
        "controller.mapping.layout to plane"},
       {fpa, superpages,
        "fpa makes a superblock of four blocks over all layers, superpages make one over all planes of several dies; "
        "set "
        "controller.mapping.layout to plane"},
       {copyback, parity,
        "copyback moves pages within a plane, past the controller, which needs their data for the parity of their new "
        "row; leave it off, or set controller.parity.stripe_dies to 0"},
       {{fpa.key, "is fpa, and blocks_per_plane is not a multiple of 4",
         [](const Settings& s) {
           return fpa.holds(s) && s.p.nand.geometry.blocks_per_plane % controller::layer_quarters != 0;
         }},
        also("nand.geometry.blocks_per_plane", "is not a multiple of 4"),
        "fpa groups four blocks; make nand.geometry.blocks_per_plane a multiple of 4"},
       {fpa, parity,
        "fpa makes a superblock of four blocks over all layers, parity one of blocks of several dies; choose one of "
        "them: set controller.parity.stripe_dies to 0 for no parity"},
       {copyback, fpa,
        "copyback moves pages past the ECC engine, but with fpa their parity depends on their place; leave it off, or "
        "set controller.fullpages.allocation to in_one_page"}});
}

void add_slc_cache(Rows& rows) {
  rows.insert(
      rows.end(),
      {{slc_cache, one_bit, "cells of one bit have no faster mode; set static_percent and dynamic_percent to 0"},
       {slc_cache, fpa,
        "fpa writes four blocks over all layers at once, which have no SLC mode; set static_percent and "
        "dynamic_percent to 0"},
       {slc_cache, copyback,
        "a page that collection copies keeps its tag, which names the mode of its block; set "
        "controller.garbage_collection.copyback to false, and controller.slc_cache.fold_by to copyback for direct "
        "folds"},
       {direct_folds, superpages,
        "a direct fold copies pages within a plane, past the order in which superblocks are filled; set "
        "controller.slc_cache.fold_by to read_and_program, or controller.mapping.layout to plane"},
       {direct_folds, parity,
        "a direct fold copies pages past the controller, which needs their data for the parity of their new row; set "
        "controller.slc_cache.fold_by to read_and_program, or controller.parity.stripe_dies to 0"},
       {slc_cache,
        {"controller.write_mode", "is not plain", [](const Settings& s) { return !s.p.controller.write_mode.plain(); }},
        "blocks of the cache have a write mode of their own; leave controller.write_mode at its defaults"},
       {slc_cache, several_codes, "all pages of the cache have the ordinary code; set ecc.selection to uniform"},
       {slc_cache, subpage_reads,
        "reads of subpages combine pages of the native mode; set controller.subpages.reads to none"},
       {slc_cache, ida, "ida adjusts wordlines of several bits; set controller.refresh.policy to none"},
       {slc_cache, die_at_pins, "the pins do not carry the SLC mode; set simulation.blocks.die.kind to nand"}});
}

void add_two_passes(Rows& rows) {
  rows.insert(
      rows.end(),
      {{two_passes,
        {"nand.timing.program_unit", "is page",
         [](const Settings& s) { return s.p.nand.timing.program_unit == nand::ProgramUnit::page; }},
        "each pass programs a whole wordline; set nand.timing.program_unit to wordline"},
       {two_passes, one_bit, "cells of one bit are programmed in one pass; set nand.timing.program_passes to 1"},
       {two_passes, parity,
        "the parity of a row is not kept for a second pass; set controller.parity.stripe_dies to 0"},
       {two_passes, copyback,
        "a page register holds a page only for one pass; set controller.garbage_collection.copyback to false"},
       {two_passes, direct_folds,
        "a page register holds a page only for one pass; set controller.slc_cache.fold_by to read_and_program"},
       {two_passes, ida,
        "ida adjusts wordlines that are programmed in one pass; set controller.refresh.policy to none"},
       {two_passes, fpa,
        "fpa writes four blocks in turn, and wordlines that follow each other are in different blocks; set "
        "controller.fullpages.allocation to in_one_page"},
       {two_passes,
        {"controller.scheduler.cache_program", "is true",
         [](const Settings& s) { return s.p.controller.scheduler.cache_program; }},
        "cache programs are not modelled for wordlines that are programmed in two passes; set "
        "controller.scheduler.cache_program to false"},
       {two_passes,
        {"controller.write_mode", "is not plain", [](const Settings& s) { return !s.p.controller.write_mode.plain(); }},
        "write modes choose the step of one pass, and close blocks whose last wordline then has no next one; leave "
        "controller.write_mode at its defaults"},
       {two_passes, segments, "cdber gathers the pages of a wordline for one pass; set ecc.selection to uniform"},
       {two_passes, die_at_pins, "the pins do not carry the pass; set simulation.blocks.die.kind to nand"}});
}

void add_fullpages(Rows& rows) {
  rows.insert(
      rows.end(),
      {{fpa,
        {"controller.subpages.reads", "is none", [](const Settings& s) { return !subpage_reads.holds(s); }},
        "fpa needs combined subpage reads; set controller.subpages.reads to soml or srs"},
       {fpa,
        {"controller.mapping.unit_bytes", "is not a quarter of a page",
         [](const Settings& s) {
           return std::uint64_t{s.p.controller.mapping.unit_bytes} * controller::layer_quarters !=
                  s.p.nand.geometry.page_bytes;
         }},
        "fpa needs mapping units of a subpage; set controller.mapping.unit_bytes to",
        [](const Settings& s) { return std::to_string(subpage_bytes(s)); }},
       {fpa,
        {"nand.geometry.first_layer", "is not by_block",
         [](const Settings& s) { return s.p.nand.geometry.first_layer != nand::FirstLayer::by_block; }},
        "fpa needs pages with the same number in all four quarters of the layers; set nand.geometry.first_layer to "
        "by_block"},
       {fpa,
        {"nand.geometry.pages_per_block", "is not a whole number of wordlines in each quarter of the layers",
         [](const Settings& s) { return s.p.nand.geometry.pages_per_block % wordlines_of_quarters(s) != 0; }},
        "fpa needs blocks of a whole number of wordlines in each quarter of the layers; make "
        "nand.geometry.pages_per_block a multiple of",
        [](const Settings& s) { return std::to_string(wordlines_of_quarters(s)); }},
       {fpa,
        {"ecc.codec", "is not ldpc", [](const Settings& s) { return !code_family_of(s.p.ecc).has_any_parity(); }},
        "fpa needs codewords that can share their parity; set ecc.codec to ldpc and ecc.decoder to table or steps"},
       {fpa,
        {"ecc.decoder", "is not table or steps",
         [](const Settings& s) { return !decoder_of(s.p.ecc)->takes_borrowed_parity(); }},
        "fpa needs codewords that can share their parity; set ecc.codec to ldpc and ecc.decoder to table or steps"},
       {{"controller.fullpages.borrowed_parity_bytes", "is not less than ecc.ldpc_parity_bytes",
         [](const Settings& s) {
           return fpa.holds(s) && s.p.controller.fullpages.borrowed_parity_bytes >= s.p.ecc.ldpc_parity_bytes;
         }},
        also("ecc.ldpc_parity_bytes", "is the parity of a codeword"),
        "this leaves the lending codeword none of its parity; let it lend fewer bytes"}});
  const Condition fill{"controller.fullpages.precondition_percent", "is not 0",
                       [](const Settings& s) { return s.p.controller.fullpages.precondition_percent != 0; }};
  constexpr std::string_view in_order =
      "fullpages keep the order of their addresses; set controller.precondition.distribution to scattered, its order "
      "to sequential and its invalid_page_ratio to 0";
  rows.insert(
      rows.end(),
      {{fill,
        {"controller.precondition.distribution", "is not scattered",
         [](const Settings& s) {
           return s.p.controller.precondition.distribution != controller::FillDistribution::scattered;
         }},
        in_order},
       {fill,
        {"controller.precondition.order", "is not sequential",
         [](const Settings& s) { return s.p.controller.precondition.order != controller::FillOrder::sequential; }},
        in_order},
       {fill,
        {"controller.precondition.invalid_page_ratio", "is not 0",
         [](const Settings& s) { return s.p.controller.precondition.invalid_page_ratio != 0; }},
        in_order}});
}

void add_plane_reads(Rows& rows) {
  rows.insert(
      rows.end(),
      {{independent_plane_reads,
        {"controller.scheduler.cache_read", "is true",
         [](const Settings& s) { return s.p.controller.scheduler.cache_read; }},
        "a cache read occupies the die, so planes could not read on their own; set controller.scheduler.cache_read to "
        "false"},
       {independent_plane_reads, subpage_reads,
        "an operation on subpages of several planes occupies the die; set controller.subpages.reads to none"}});
}

void add_units(Rows& rows) {
  rows.insert(
      rows.end(),
      {{{"controller.mapping.unit_bytes", "is not a whole number of codewords",
         [](const Settings& s) {
           return s.p.controller.mapping.unit_bytes != 0 && unit_bytes(s) % s.p.ecc.codeword_bytes != 0;
         }},
        also("ecc.codeword_bytes", "is the size of a codeword"),
        "a mapping unit must be whole codewords, so that it can be read by itself"},
       {{"controller.mapping.unit_bytes", "is not a whole number of background codewords",
         [](const Settings& s) {
           const std::uint32_t longest = longest_codeword_bytes(s.p.ecc);
           return has_background(s) && s.p.controller.mapping.unit_bytes % longest != 0 &&
                  longest != s.p.ecc.codeword_bytes;
         }},
        also("ecc.background.codeword_bytes", "is the size of the longest codeword"),
        "a mapping unit must be whole codewords of all codes, so that it can be read by itself"},
       {subpage_reads,
        {"ecc.codeword_bytes", "does not divide a quarter of a page",
         [](const Settings& s) { return subpage_bytes(s) % longest_codeword_bytes(s.p.ecc) != 0; }},
        "subpage reads need codewords within a subpage; set ecc.codeword_bytes to",
        [](const Settings& s) {
          return std::to_string(subpage_bytes(s)) + " (a quarter of nand.geometry.page_bytes) or a divisor" +
                 (several_codes.holds(s) ? ", and the codewords of other codes too" : "");
        }},
       {{"controller.mapping.cache_bytes", "is not 0 and less than a mapping unit",
         [](const Settings& s) {
           const std::uint64_t cache = s.p.controller.mapping.cache.cache_bytes;
           return cache != 0 && cache < unit_bytes(s);
         }},
        also("controller.mapping.unit_bytes", "is the size of a translation page"),
        "the memory holds no translation page; it must be at least a page of the mapping, or 0 for the whole mapping:",
        [](const Settings& s) { return "a page has " + std::to_string(unit_bytes(s)) + " bytes"; }},
       {{"controller.mapping.memory", "is host, and cache_bytes is 0",
         [](const Settings& s) {
           const controller::MappingParameters& p = s.p.controller.mapping;
           return p.memory == controller::MappingPlace::host && p.cache.cache_bytes == 0;
         }},
        also("controller.mapping.cache_bytes", "is the size of the SRAM"),
        "a drive without DRAM keeps its mapping on flash and caches a part of it; set controller.mapping.cache_bytes "
        "to the SRAM that it has for the mapping"},
       {{"controller.mapping.host_buffer_bytes", "is less than cache_bytes, and memory is host",
         [](const Settings& s) {
           const controller::MappingParameters& p = s.p.controller.mapping;
           return p.memory == controller::MappingPlace::host && p.host_buffer_bytes < p.cache.cache_bytes;
         }},
        also("controller.mapping.cache_bytes", "is the size of the SRAM"),
        "the buffer must hold at least what the SRAM holds without it; make it larger"},
       {{"controller.garbage_collection.reserved_blocks", "is not less than start_free_blocks",
         [](const Settings& s) {
           const controller::GarbageCollectionParameters& p = s.p.controller.garbage_collection;
           return p.reserved_blocks >= p.start_free_blocks;
         }},
        also("controller.garbage_collection.start_free_blocks", "is the number of free blocks that collection keeps"),
        "the reserve must be less than start_free_blocks, else the host stalls before collection starts"},
       {{"controller.cache.dirty_low_percent", "is more than dirty_high_percent, with a cache",
         [](const Settings& s) {
           const controller::CacheParameters& p = s.p.controller.cache;
           return p.policy != controller::CachePolicy::none && p.dirty_low_percent > p.dirty_high_percent;
         }},
        also("controller.cache.dirty_high_percent", "is the level at which writing back begins"),
        "writing back begins at dirty_high_percent and ends at dirty_low_percent, which must not exceed it"},
       {{"nand.geometry.pages_per_block", "is not a whole number of wordlines",
         [](const Settings& s) {
           return uses_cells(s) && s.p.nand.geometry.pages_per_block % nand::coding_named(s.p.nand.coding).pages() != 0;
         }},
        also("nand.coding", "holds several pages in a wordline"),
        "a block must be a whole number of wordlines, and pages_per_block a multiple of",
        [](const Settings& s) { return std::to_string(nand::coding_named(s.p.nand.coding).pages()); }}});
}

void add_write_modes(Rows& rows) {
  constexpr Condition derived_step{
      "controller.write_mode.step_ratio", "is 0, and kept_weeks is not",
      [](const Settings& s) { return relaxes_retention(s) && s.p.controller.write_mode.step_ratio == 0; }};
  rows.insert(
      rows.end(),
      {{derived_step, ideal_cells,
        "0 derives the step from the cells, but ideal cells have no limit; set simulation.cells to statistical, or "
        "give a ratio, such as 1.86 for 10 weeks or 2.33 for 2"},
       {{derived_step.key, "is 0, and cells have one programmed state",
         [](const Settings& s) {
           return derived_step.holds(s) && cells_err(s) && s.p.nand.cells.placement.verify_mv.size() < 2;
         }},
        also("nand.coding", "has a single programmed state"),
        "0 derives the step from the cells, but cells with a single programmed state have no limit; give a ratio"},
       {{derived_step.key, "makes a step that is larger than the distance of the states",
         [](const Settings& s) {
           const controller::WriteModeParameters& p = s.p.controller.write_mode;
           return relaxes_retention(s) && p.step_ratio >= 1 &&
                  std::round(p.step_ratio * s.p.nand.cells.placement.step_mv) > largest_step_mv(s);
         }},
        also("nand.cells.placement.step_mv", "is the device's own step"),
        "their product is a step that lifts cells of one state into the next; take a ratio of at most",
        [](const Settings& s) {
          const double largest = largest_step_mv(s);
          return shown(std::floor(100 * largest / s.p.nand.cells.placement.step_mv) / 100) + ", since the states are " +
                 shown(largest) + " mV apart";
        }},
       {{"controller.write_mode.kept_weeks", "is not 0", relaxes_retention},
        copyback,
        "page tags record that a block keeps its data for weeks, and copyback would move tags to other blocks; set "
        "controller.garbage_collection.copyback to false"},
       {by_content, segments, "both use the same margin, one for speed and one for lighter codes; choose one of them"},
       {{"controller.content.steps_mv", "does not rise from the device's own step",
         [](const Settings& s) {
           const std::vector<double>& steps = s.p.controller.content.steps_mv;
           return writes_by_content(s) && ((!steps.empty() && steps.front() <= s.p.nand.cells.placement.step_mv) ||
                                           std::ranges::adjacent_find(steps, std::greater_equal<>()) != steps.end());
         }},
        also("nand.cells.placement.step_mv", "is the device's own step"),
        "the steps must rise from the device's own step, nand.cells.placement.step_mv"},
       {{"controller.content.step_rule", "is page, and by_content",
         [](const Settings& s) {
           return writes_by_content(s) && two_bit_cells(s) &&
                  s.p.controller.content.step_rule == controller::StepRule::page;
         }},
        cells_with_errors,
        "page programs a wordline with a step that may be too large for one of its two pages; set it to wordline, or "
        "set simulation.cells to ideal"},
       {{"simulation.data", "is stored, and by_content",
         [](const Settings& s) { return writes_by_content(s) && keeps_bytes(s); }},
        not_two_bits,
        "stored content is counted for cells of two bits only; set simulation.data to none, so that it is drawn, or "
        "nand.coding to mlc_13"},
       {{"controller.content.state_mapping", "is true, and by_content",
         [](const Settings& s) { return writes_by_content(s) && s.p.controller.content.state_mapping; }},
        not_two_bits,
        "state mapping maps the states of cells of two bits only; set it to false, or nand.coding to mlc_13"},
       {{"controller.content.faster_pages", "is not both, and by_content",
         [](const Settings& s) {
           return writes_by_content(s) && s.p.controller.content.faster_pages != controller::FasterPages::both;
         }},
        not_two_bits,
        "faster_pages tells pages of cells of two bits apart only; set it to both, or nand.coding to mlc_13"},
       {{"controller.content.step_rule", "is not wordline, and by_content",
         [](const Settings& s) {
           return writes_by_content(s) && s.p.controller.content.step_rule != controller::StepRule::wordline;
         }},
        not_two_bits,
        "page is a rule for cells of two bits only; set it to wordline, or nand.coding to mlc_13"},
       {{"controller.content.bound", "is not exact, and by_content",
         [](const Settings& s) {
           return writes_by_content(s) && s.p.controller.content.bound != controller::ContentBound::exact;
         }},
        not_two_bits,
        "relaxed counts two of the states of cells of two bits; set it to exact, or nand.coding to mlc_13"},
       {{"controller.content.plugin", "is given, and by_content",
         [](const Settings& s) { return writes_by_content(s) && !s.p.controller.content.plugin.empty(); }},
        not_two_bits,
        "the plug-in is used for cells of two bits only; leave it out, or set nand.coding to mlc_13"}});
}

void add_refresh(Rows& rows) {
  rows.insert(
      rows.end(),
      {{ida,
        {"controller.power_loss.protection", "is not capacitor",
         [](const Settings& s) {
           return s.p.controller.power_loss.protection != controller::PowerLossProtection::capacitor;
         }},
        "ida keeps data only in memory while their wordline is adjusted; set controller.power_loss.protection to "
        "capacitor"},
       {ida, parity,
        "ida destroys pages from which others of their row are rebuilt; set controller.parity.stripe_dies to 0"},
       {ida, copyback,
        "ida does not support pages moved by copyback; set controller.garbage_collection.copyback to false"},
       {ida, one_bit, "ida needs cells of several bits; nand.coding has one page per wordline"},
       {{"controller.refresh.wordlines", "is repaying",
         [](const Settings& s) {
           return ida.holds(s) && s.value("controller.refresh.wordlines") == Value("repaying");
         }},
        {"controller.read_disturb.limit_reads", "is 0",
         [](const Settings& s) { return s.p.controller.read_disturb.limit_reads == 0; }},
        "the reads of blocks are needed to choose the repaying wordlines; set controller.read_disturb.limit_reads, or "
        "controller.refresh.wordlines to all"},
       // The hold-up time must be long enough for an adjustment in progress, for the reads of its pages, and for
       // programs that wait for other programs.
       {ida,
        {"controller.power_loss.hold_up_ms", "is shorter than the longest save and ten adjustments",
         [](const Settings& s) {
           constexpr double adjustments = 10;
           const controller::RefreshContext facts = refresh_facts(s.p, nand::NandTiming(s.p.nand));
           return facts.hold_up_ms < adjustments * facts.t_adjust_ms;
         }},
        "ida needs a capacitor that feeds the drive until pages being adjusted are safe; set "
        "controller.power_loss.hold_up_ms to at least ten times nand.timing.t_adjust_us beyond the longest save "
        "(controller.power_loss.hold_up_most_us of the statistics)",
        nullptr,
        When::computed},
       // If the charge loss grows faster with the voltage than the voltage itself, drift reverses the order of the
       // states.
       {{"nand.condition.pe_cycles", "with the time drifts the top state onto the lowest one",
         [](const Settings& s) {
           if (!uses_cells(s) || s.p.nand.coding == "slc") return false;
           const nand::CellParameters& cells = s.p.nand.cells;
           const nand::ConditionParameters& c = s.p.nand.condition;
           const double months = c.retention_days * 24 / hours_per_month *
                                 nand::arrhenius_factor(cells.retention, c.storage_temperature_c);
           const double drift = nand::retention_shift_mv(cells.retention, c.pe_cycles / 1000.0, months) *
                                std::exp(nand::most_log_shift(cells.variation)) * (1 - cells.retention.low_state_share);
           return drift >= cells.placement.verify_mv.back() - cells.placement.verify_mv.front();
         }},
        also("nand.condition.retention_days", "is the time"),
        "their charge loss drifts the top state onto the lowest one; take fewer cycles or less time, since this is "
        "beyond the constants of",
        [](const Settings& s) { return s.p.nand.cells.set; },
        When::computed},
       {{"controller.read_retry.timing_table", "is empty, and the policy adapts the timing of retries",
         [](const Settings& s) {
           const controller::ReadRetryParameters& p = s.p.controller.read_retry;
           return p.timing_table.empty() && p.needs().adapts_timing;
         }},
        {"nand.cells.set", "has no table with nandscape",
         [](const Settings& s) {
           return std::ranges::none_of(list_read_timing_tables(),
                                       [&](const auto& table) { return table.first == s.p.nand.cells.set; });
         }},
        "no table is given, and nandscape has none for these cells; make one with `nandscape profile-rpt` and name its "
        "file here"}});
}

}  // namespace nandscape

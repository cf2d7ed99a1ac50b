// SPDX-License-Identifier: Apache-2.0
// Rows of the table of incompatible settings: what simulation blocks, recordings and workloads exclude.
#include <string>

#include "platform/blocks/rtl_code.h"
#include "platform/config/incompatibility_rows.h"

namespace nandscape {

void add_simulation(Rows& rows) {
  rows.insert(
      rows.end(),
      {{{"host.nvme.io_queues", "is not more than the number of workloads",
         [](const Settings& s) { return s.p.host.workload.size() + 1 > s.p.host.nvme.io_queues; }},
        also("host.workload", "needs a queue pair for each workload"),
        "each workload needs a queue pair, like each processor of a host, and single commands need one more; the "
        "workloads need",
        [](const Settings& s) { return std::to_string(s.p.host.workload.size() + 1) + " queue pairs"; },
        When::traffic},
       {{"simulation.waves.end_us", "is not after begin_us",
         [](const Settings& s) {
           const WavesParameters& p = s.p.simulation.blocks.waves;
           return !p.file.empty() && !(p.begin_us < p.end_us);
         }},
        also("simulation.waves.begin_us", "is the begin of the recording"),
        "the recording ends before it begins; let it end later",
        nullptr,
        When::traffic},
       {{"simulation.timeline.end_us", "is not after begin_us",
         [](const Settings& s) {
           const TimelineParameters& p = s.p.simulation.timeline;
           return !p.file.empty() && !(p.begin_us < p.end_us);
         }},
        also("simulation.timeline.begin_us", "is the begin of the recording"),
        "the recording ends before it begins; let it end later",
        nullptr,
        When::traffic}});
}

void add_rtl_engine(Rows& rows) {
  const std::size_t begin = rows.size();
  rows.insert(
      rows.end(),
      {{no_bytes, rtl_engine, "the design codes bytes; set simulation.data to stored"},
       {{"ecc.decoder", "is not bit_true", [](const Settings& s) { return s.p.ecc.decoder.name != "bit_true"; }},
        rtl_engine,
        "the design decodes bytes; set ecc.decoder to bit_true"},
       {{"ecc.engines", "is pool", [](const Settings& s) { return s.p.ecc.engines == ecc::EngineSharing::pool; }},
        rtl_engine,
        "the design has one encoder and one decoder; set ecc.engines to per_channel, shared or shared_encoder"},
       {{"ecc.stop_at_failure", "is true", [](const Settings& s) { return s.p.ecc.stop_at_failure; }},
        rtl_engine,
        "the design decodes all codewords of a page; set ecc.stop_at_failure to false"},
       {several_codes, rtl_engine, "the design has one code, and pages have several; set ecc.selection to uniform"},
       {fpa, rtl_engine,
        "the design has one code, and pages have several; set controller.fullpages.allocation to in_one_page"},
       {{"ecc.codec", "is not bch of 72 bits in codewords of 1024 bytes",
         [](const Settings& s) {
           return s.p.ecc.codec.name != "bch" || s.p.ecc.codeword_bytes != rtl_payload_bytes ||
                  s.p.ecc.correctable_bits != rtl_correctable_bits;
         }},
        rtl_engine,
        "the design has the BCH code of 72 bits in codewords of 1024 bytes; set ecc.codec to bch, "
        "ecc.correctable_bits to 72 and ecc.codeword_bytes to 1024"}});
  for (std::size_t k = begin; k < rows.size(); ++k) rows[k].when = When::built;
}

// Adds rows for settings that need cycles or data which ONFI pins do not carry.
void add_pins(Rows& rows) {
  const std::size_t begin = rows.size();
  rows.insert(
      rows.end(),
      {{no_bytes, die_at_pins, "pins carry bytes, and pages have none; set simulation.data to stored"},
       {{"controller.scheduler.suspend", "is not none",
         [](const Settings& s) { return s.p.controller.scheduler.suspend != controller::Suspend::none; }},
        die_at_pins,
        "ONFI has no cycles to suspend an operation; set controller.scheduler.suspend to none"},
       {{"controller.scheduler.cache_read", "is true with multi_plane, and dies have several planes",
         [](const Settings& s) {
           const controller::SchedulerParameters& p = s.p.controller.scheduler;
           return p.cache_read && p.multi_plane && s.p.nand.geometry.planes_per_die > 1;
         }},
        die_at_pins,
        "pins do not carry cache reads that follow reads of several planes; set controller.scheduler.multi_plane to "
        "false, or cache_read"},
       {independent_plane_reads, die_at_pins,
        "ONFI 4 has no reads of single planes while others read; set nand.independent_plane_reads to false"},
       {subpage_reads, die_at_pins,
        "pins do not carry reads of subpages in one operation; set controller.subpages.reads to none"},
       {{"controller.write_mode", "sets the ISPP step of programs",
         [](const Settings& s) { return !s.p.controller.write_mode.plain(); }},
        die_at_pins,
        "pins do not carry the step of a program; leave the keys of controller.write_mode out"},
       {adjusted_wordlines, die_at_pins, "pins do not carry voltage adjustments; take another refresh"},
       {{"ecc.decoder", "uses the error counts of cells that are not ideal",
         [](const Settings& s) { return cells_err(s) && !decoder_of_bytes.holds(s); }},
        die_at_pins,
        "pins carry bytes and no error counts of the cells; set ecc.decoder to bit_true, or simulation.cells to ideal"},
       {{"nand.cells.failures.factory_bad_fraction", "is not 0, and cells are not ideal",
         [](const Settings& s) { return cells_err(s) && s.p.nand.cells.failures.factory_bad_fraction != 0; }},
        die_at_pins,
        "pins do not carry bad-block marks; set nand.cells.failures.factory_bad_fraction to 0"},
       {{soft_reads.key, "reads soft, and cells are not ideal",
         [](const Settings& s) { return cells_err(s) && soft_reads.holds(s); }},
        die_at_pins,
        "pins do not carry soft reads; set controller.read_retry.policy to regular"},
       {{soft_reads.key, "reads at the best levels of each page, and cells are not ideal",
         [](const Settings& s) { return cells_err(s) && s.p.controller.read_retry.needs().oracle; }},
        die_at_pins,
        "pins do not carry reads at the best levels of each page; set controller.read_retry.policy to regular"},
       {{"nand.cells.read_levels.retry_steps", "is not 0, and cells are not ideal",
         [](const Settings& s) { return cells_err(s) && s.p.nand.cells.read_levels.retry_steps != 0; }},
        die_at_pins,
        "pins do not carry reads at other levels; set nand.cells.read_levels.retry_steps to 0"}});
  for (std::size_t k = begin; k < rows.size(); ++k) rows[k].when = When::built;
}

}  // namespace nandscape

// SPDX-License-Identifier: Apache-2.0
#include "nand/parameters.h"

#include <cstdint>
#include <string>

#include "core/error.h"
#include "nand/coding/coding.h"
#include "nand/temperature_sources.h"

namespace nandscape::nand {

void describe(NandGeometryParameters& p, ParameterVisitor& v) {
  v.integer("chips_per_channel", p.chips_per_channel, {1, 64}, "", "chips (packages) on each channel");
  v.integer("dies_per_chip", p.dies_per_chip, {1, 32}, "", "dies (LUNs) in each chip");
  v.integer("planes_per_die", p.planes_per_die, {1, 16}, "", "planes in each die");
  v.integer("blocks_per_plane", p.blocks_per_plane, {4, 1 << 20}, "", "blocks in each plane");
  v.integer("pages_per_block", p.pages_per_block, {1, 65535}, "", "pages in each block");
  v.integer("page_bytes", p.page_bytes, {512, 1 << 20}, "bytes", "data bytes of a page");
  v.integer("spare_bytes", p.spare_bytes, {0, 1 << 18}, "bytes",
            "bytes of a page beyond its data, for parity and metadata");
  v.choice("first_layer", p.first_layer,
           {{"lowest", "page 0 of every block lies in its lowest layer"},
            {"by_block",
             "blocks begin in turn at the bottom and at a quarter, a half and three quarters of the layers, and wrap "
             "around from the top to the bottom"}},
           "how the pages of a block are placed in the layers, from its first page to its last");
}

void check(const NandGeometryParameters& p, std::uint32_t channels) {
  if (p.page_bytes % 512 != 0) {
    throw ConfigError({}, "nand.geometry.page_bytes",
                      std::to_string(p.page_bytes) + " bytes are not a multiple of the 512 bytes of a sector");
  }
  // At each of these bounds, the simulation needs about a gigabyte of memory and about a second of setup before the
  // first request. Each bound is several times as large as in the largest drives.
  constexpr std::uint64_t most_dies = 4096;
  constexpr std::uint64_t most_blocks = std::uint64_t{1} << 24;
  constexpr std::uint64_t most_pages = std::uint64_t{1} << 35;
  const std::uint64_t dies = std::uint64_t{channels} * p.chips_per_channel * p.dies_per_chip;
  const std::uint64_t blocks = dies * p.planes_per_die * p.blocks_per_plane;
  const std::uint64_t pages = blocks * p.pages_per_block;
  const auto refuse = [](const char* key, std::uint64_t number, std::uint64_t most, const std::string& what) {
    throw ConfigError({}, key,
                      "makes " + std::to_string(number) + " " + what + " in all; at most " + std::to_string(most) +
                          " can be simulated");
  };
  if (dies > most_dies) refuse("nand.geometry.dies_per_chip", dies, most_dies, "dies");
  if (blocks > most_blocks) refuse("nand.geometry.blocks_per_plane", blocks, most_blocks, "blocks");
  if (pages > most_pages) refuse("nand.geometry.pages_per_block", pages, most_pages, "pages");
}

void describe(NandTimingParameters& p, ParameterVisitor& v) {
  v.choice("read", p.read,
           {{"senses", "tR = N_SENSE x (tPRE + tEVAL + tDISCH)"},
            {"per_page_type", "tR is given for each page of a wordline"}},
           "how tR, the time to read a page, is given");
  v.real("t_pre_us", p.t_pre_us, {0, 1000}, "us", "tPRE, bitline precharge of one sense");
  v.real("t_eval_us", p.t_eval_us, {0, 1000}, "us", "tEVAL, evaluation of one sense");
  v.real("t_disch_us", p.t_disch_us, {0, 1000}, "us", "tDISCH, bitline discharge of one sense");
  v.reals(
      "t_read_us", p.t_read_us, {0.001, 10000}, "us",
      "tR of each page of a wordline, lowest bit first, used when `read` is per_page_type; one for each bit of a cell");
  v.choice(
      "program", p.program,
      {{"given", "tPROG is t_prog_us"}, {"ispp", "tPROG = pulses x t_pulse_us + verifies x t_verify_us of nand.cells"}},
      "how tPROG, the time to program a page, is given");
  v.unread_if(p.program_unit == ProgramUnit::page, {"t_load_us"}, "program_unit is page");
  v.choice(
      "program_unit", p.program_unit,
      {{"page", "each page is programmed by an operation of its own, which takes tPROG"},
       {"wordline", "pages are loaded into the latches; the last page of the wordline programs all of them in tPROG"}},
      "what an array operation programs");
  v.real("t_load_us", p.t_load_us, {0.001, 10000}, "us",
         "time to load a page into the latches before the last page of its wordline programs the cells");
  v.real("t_prog_us", p.t_prog_us, {0.001, 100000}, "us",
         "tPROG, programming one page or one wordline (of one plane or of several), used when `program` is given");
  v.integer("program_passes", p.program_passes, {1, most_program_passes}, "",
            "passes that program a wordline: with 2, the pages of a wordline are sent again when the next wordline has "
            "had its first pass, and can only be read after that");
  v.unread_if(p.program_passes == 1, {"t_prog_first_us"}, "program_passes is 1");
  v.real("t_prog_first_us", p.t_prog_first_us, {0.001, 100000}, "us",
         "time of the first pass of a wordline; t_prog_us is then that of the second pass");
  v.real("t_prog_slc_us", p.t_prog_slc_us, {0.001, 100000}, "us", "tPROG of a page in a block in SLC mode");
  v.real("t_adjust_us", p.t_adjust_us, {0, 100000}, "us",
         "time to adjust the voltages of a wordline with invalid pages; 0: tPROG");
  v.real("t_bers_us", p.t_bers_us, {0.001, 1000000}, "us", "tBERS, erasing one block (or one block of each plane)");
  v.real("t_suspend_us", p.t_suspend_us, {0, 10000}, "us",
         "time from the suspend command until the die takes other commands");
  v.real("t_resume_us", p.t_resume_us, {0, 10000}, "us", "time from the resume command until the array continues");
  v.real("t_rcbsy_us", p.t_rcbsy_us, {0, 1000}, "us",
         "tRCBSY, page register to cache register in a cache read; the bus waits");
  v.real("t_pcbsy_us", p.t_pcbsy_us, {0, 1000}, "us",
         "tPCBSY, cache register to page register in a cache program; then the die takes the next page");
  v.real("t_rst_read_us", p.t_rst_read_us, {0, 10000}, "us", "tRST, reset of a die that reads or does nothing");
  v.real("t_rst_program_us", p.t_rst_program_us, {0, 10000}, "us", "tRST, reset of a die that programs");
  v.real("t_rst_erase_us", p.t_rst_erase_us, {0, 100000}, "us", "tRST, reset of a die that erases");
  v.real("t_feat_us", p.t_feat_us, {0, 10000}, "us", "tFEAT, setting or getting a feature");
}

void describe(ConditionParameters& p, ParameterVisitor& v) {
  constexpr RealRange temperature = {-40, 125};
  v.integer("pe_cycles", p.pe_cycles, {}, "", "program/erase cycles of every block at the start");
  v.real("retention_days", p.retention_days, {}, "days",
         "age of the data present at the start, at the storage temperature");
  v.real("storage_temperature_c", p.storage_temperature_c, temperature, "c",
         "temperature at which data age during time that is not simulated");
  v.real("temperature_c", p.temperature_c, temperature, "c",
         "temperature at which the device runs, or at which ages count when it follows a course");
  v.variant("temperature", p.temperature, temperature_registry(), "course of the temperature while the device runs");
  v.integer("block_reads", p.block_reads, {}, "", "reads of each block since it was written, at the start");
}

void describe(NandParameters& p, ParameterVisitor& v) {
  v.group("geometry", p.geometry, "numbers of chips, dies, planes, blocks and pages, and page sizes");
  v.choice("coding", p.coding, codings(), "mapping of bits to cell states; it determines how many senses a page takes");
  v.boolean("independent_plane_reads", p.independent_plane_reads,
            "each plane of a die reads on its own, while other planes read other blocks and pages; programs and erases "
            "occupy the die");
  v.group("timing", p.timing, "array times");
  v.group("cells", p.cells, "physics of the cells, unless they are ideal");
  v.group("condition", p.condition, "wear, age and temperature of the flash");
  v.group("energy", p.energy, "power that the arrays draw from the supply");
}

}  // namespace nandscape::nand

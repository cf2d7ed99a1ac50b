// SPDX-License-Identifier: Apache-2.0
#include "nand/parameters.h"

#include <cstdint>
#include <string>

#include "core/error.h"
#include "nand/coding/coding.h"

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
             "blocks begin in turn at the bottom and after a quarter, a half and three quarters of the layers, and go "
             "on at the bottom when they have come to the top"}},
           "which layers the pages of a block lie in, from its first to its last");
}

void check(const NandGeometryParameters& p, std::uint32_t channels) {
  if (p.page_bytes % 512 != 0) {
    throw ConfigError({}, "nand.geometry.page_bytes",
                      std::to_string(p.page_bytes) + " bytes are no whole number of sectors of 512 bytes");
  }
  // What each of them takes adds up to about a gigabyte of memory and a second before the first request. Each bound is
  // several times that of the largest drives.
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
           "how the time to read a page is given");
  v.real("t_pre_us", p.t_pre_us, {0, 1000}, "us", "tPRE, bitline precharge of one sense");
  v.real("t_eval_us", p.t_eval_us, {0, 1000}, "us", "tEVAL, evaluation of one sense");
  v.real("t_disch_us", p.t_disch_us, {0, 1000}, "us", "tDISCH, bitline discharge of one sense");
  v.reals(
      "t_read_us", p.t_read_us, {0.001, 10000}, "us",
      "tR of each page of a wordline, lowest bit first, used when `read` is per_page_type; one for each bit of a cell");
  v.choice(
      "program", p.program,
      {{"given", "tPROG is t_prog_us"}, {"ispp", "tPROG = pulses x t_pulse_us + verifies x t_verify_us of nand.cells"}},
      "how the time to program a page is given");
  v.real("t_prog_us", p.t_prog_us, {0.001, 100000}, "us",
         "tPROG, programming one page (or one page of each plane), used when `program` is given");
  v.real("t_prog_slc_us", p.t_prog_slc_us, {0.001, 100000}, "us", "tPROG of a page in a block in SLC mode");
  v.real("t_adjust_us", p.t_adjust_us, {0, 100000}, "us",
         "adjusting the voltages of a wordline with invalid pages; 0: as long as t_prog_us");
  v.real("t_bers_us", p.t_bers_us, {0.001, 1000000}, "us", "tBERS, erasing one block (or one block of each plane)");
  v.real("t_suspend_us", p.t_suspend_us, {0, 10000}, "us",
         "from the suspend command until the die takes other commands");
  v.real("t_resume_us", p.t_resume_us, {0, 10000}, "us", "from the resume command until the array works on");
  v.real("t_rcbsy_us", p.t_rcbsy_us, {0, 1000}, "us",
         "tRCBSY, page register to cache register at a cache read; the bus waits for it");
  v.real("t_pcbsy_us", p.t_pcbsy_us, {0, 1000}, "us",
         "tPCBSY, cache register to page register at a cache program; then the next page may come");
  v.real("t_rst_read_us", p.t_rst_read_us, {0, 10000}, "us", "tRST, reset of a die that reads or does nothing");
  v.real("t_rst_program_us", p.t_rst_program_us, {0, 10000}, "us", "tRST, reset of a die that programs");
  v.real("t_rst_erase_us", p.t_rst_erase_us, {0, 100000}, "us", "tRST, reset of a die that erases");
  v.real("t_feat_us", p.t_feat_us, {0, 10000}, "us", "tFEAT, setting or getting a feature");
}

void describe(ConditionParameters& p, ParameterVisitor& v) {
  constexpr RealRange temperature = {-40, 125};
  v.integer("pe_cycles", p.pe_cycles, {}, "", "program/erase cycles of every block at the start");
  v.real("retention_days", p.retention_days, {}, "days",
         "age of the data that are there at the start, at the temperature of storage");
  v.real("storage_temperature_c", p.storage_temperature_c, temperature, "c",
         "temperature at which data age while time is not simulated");
  v.real("temperature_c", p.temperature_c, temperature, "c", "temperature at which the device runs");
  v.integer("block_reads", p.block_reads, {}, "", "reads of each block, at the start, since it was written");
}

void describe(NandParameters& p, ParameterVisitor& v) {
  v.group("geometry", p.geometry, "how many of what a channel has, and the size of pages");
  v.choice("coding", p.coding, codings(), "how bits become states of a cell; it tells how many senses a page takes");
  v.group("timing", p.timing, "array times");
  v.group("cells", p.cells, "the physics of the cells, where they are not ideal");
  v.group("condition", p.condition, "wear, age and temperature of the flash");
  v.group("energy", p.energy, "what the arrays take from the supply");
}

}  // namespace nandscape::nand

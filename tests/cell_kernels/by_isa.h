// SPDX-License-Identifier: Apache-2.0
// The kernels of nand/cells/cell_kernels.h, each compiled separately for every instruction set. Tests and benchmarks
// compare their results and their speed with the library's functions, which select the instruction set at run time.
#pragma once

#include <string_view>
#include <vector>

#include "nand/cells/cell_kernels.h"

namespace nandscape {

struct CellKernels {
  std::string_view isa;
  decltype(&nandscape::nand::random_states) random_states;
  decltype(&nandscape::nand::states_of_pages) states_of_pages;
  decltype(&nandscape::nand::erase_draw) erase_draw;
  decltype(&nandscape::nand::first_pulse) first_pulse;
  decltype(&nandscape::nand::program_pulse) program_pulse;
  decltype(&nandscape::nand::count_below) count_below;
  decltype(&nandscape::nand::draw_programmed) draw_programmed;
  decltype(&nandscape::nand::age_cells) age_cells;
  decltype(&nandscape::nand::sense_page) sense_page;
  decltype(&nandscape::nand::page_bits_of_states) page_bits_of_states;
  decltype(&nandscape::nand::count_misreads) count_misreads;
};

// Returns the library's own functions, followed by the variants for each instruction set of this machine.
std::vector<CellKernels> cell_kernels_by_isa();

}  // namespace nandscape

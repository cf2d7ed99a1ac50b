// SPDX-License-Identifier: Apache-2.0
// Array times of a die in ticks, and the codings of its cells, resolved from the group `nand`.
#pragma once

#include <cstdint>
#include <vector>

#include "core/ticks.h"
#include "nand/cells/sense_timing.h"
#include "nand/coding/cell_codings.h"
#include "nand/parameters.h"

namespace nandscape::nand {

struct NandTiming {
  // Throws ConfigError when `t_read_us` does not fit the coding.
  explicit NandTiming(const NandParameters& parameters);

  std::uint32_t bits_per_cell() const { return static_cast<std::uint32_t>(t_read.size()); }
  // Pages of a wordline follow each other: page 0 is its lowest bit.
  std::uint32_t page_type(std::uint32_t page) const { return page % bits_per_cell(); }
  Tick read_time(std::uint32_t page) const { return t_read[page_type(page)]; }
  // tR of a page of that type in a coding in which it takes so many senses, no more than cells have levels: as that of
  // a native page of as many, preferably of its own type. Where there is none it lies on a straight line between those
  // of fewer and of more senses, or is in proportion to the nearest.
  double read_us(std::uint32_t type, std::uint32_t coded_senses) const { return read_us_[type][coded_senses]; }

  CellCodings codings;
  // By page type.
  std::vector<std::uint32_t> senses;
  std::vector<Tick> t_read;
  SenseTiming phases;  // of one sense
  Tick t_prog;
  Tick t_prog_slc;
  double step_mv;  // of its ISPP, in which it takes t_prog
  Tick t_adjust;
  Tick t_bers;
  Tick t_suspend;
  Tick t_resume;
  Tick t_rcbsy;
  Tick t_pcbsy;
  Tick t_rst_read;
  Tick t_rst_program;
  Tick t_rst_erase;
  Tick t_feat;

 private:
  std::vector<std::vector<double>> read_us_;  // by page type, then senses
};

}  // namespace nandscape::nand

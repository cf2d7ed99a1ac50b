// SPDX-License-Identifier: Apache-2.0
// Array times of a die in ticks and the codings of its cells, both derived from the configuration group `nand`.
#pragma once

#include <cstdint>
#include <vector>

#include "core/ticks.h"
#include "nand/cells/sense_timing.h"
#include "nand/coding/merging.h"
#include "nand/parameters.h"

namespace nandscape::nand {

struct NandTiming {
  // Throws ConfigError if `t_read_us` does not have one value for each bit of a cell.
  explicit NandTiming(const NandParameters& parameters);

  std::uint32_t bits_per_cell() const { return static_cast<std::uint32_t>(t_read.size()); }
  // The pages of a wordline have consecutive numbers; the first holds the lowest bit.
  std::uint32_t page_type(std::uint32_t page) const { return page % bits_per_cell(); }
  Tick read_time(std::uint32_t page) const { return t_read[page_type(page)]; }
  // tR, in us, of a page of type `type` when its coding needs `coded_senses` senses, at most one for each read level.
  // It equals tR of a native page with as many senses, preferably of the same type. If no native page has as many, tR
  // is interpolated linearly between the pages with fewer and with more senses, or scaled from the nearest.
  double read_us(std::uint32_t type, std::uint32_t coded_senses) const { return read_us_[type][coded_senses]; }

  CellCodings codings;
  // By page type.
  std::vector<std::uint32_t> senses;
  std::vector<Tick> t_read;
  SenseTiming phases;  // phases of one sense
  Tick t_prog;
  Tick t_prog_slc;
  double step_mv;  // ISPP step at which a program takes t_prog
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

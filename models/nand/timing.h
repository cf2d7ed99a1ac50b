// SPDX-License-Identifier: Apache-2.0
// The array times of a die in ticks, and the codings of its cells. Both are computed from the configuration group
// `nand`.
#pragma once

#include <cstdint>
#include <vector>

#include "core/divisor.h"
#include "core/ticks.h"
#include "nand/cells/sense_timing.h"
#include "nand/coding/merging.h"
#include "nand/parameters.h"

namespace nandscape::nand {

struct NandTiming {
  // Throws ConfigError if the configuration gives tR for each page type and `t_read_us` does not contain one value for
  // each bit of a cell.
  explicit NandTiming(const NandParameters& parameters);

  std::uint32_t bits_per_cell() const { return static_cast<std::uint32_t>(t_read.size()); }
  // Returns the type of a page, which is the index of its bit in the cells. The pages of a wordline have consecutive
  // numbers, and the first of them holds the lowest bit.
  std::uint32_t page_type(std::uint32_t page) const { return bits_.remainder(page); }
  Tick read_time(std::uint32_t page) const { return t_read[page_type(page)]; }
  // Returns tR, in us, of a page of type `type` whose coding needs `coded_senses` senses. A page needs at most one
  // sense for each read level. The result is tR of a native page with the same number of senses, preferably of the same
  // type. If no native page has this number, tR is interpolated linearly between the nearest pages with fewer and with
  // more senses. If all native pages have fewer senses, or all have more, tR is scaled in proportion from the nearest
  // page.
  double read_us(std::uint32_t type, std::uint32_t coded_senses) const { return read_us_[type][coded_senses]; }

  CellCodings codings;
  // Number of senses and tR of each page type.
  std::vector<std::uint32_t> senses;
  std::vector<Tick> t_read;
  SenseTiming phases;  // phases of one sense
  // Returns whether a program of the page only loads it into the latches.
  bool loads(std::uint32_t page) const { return programs_wordlines && page_type(page) + 1 != bits_per_cell(); }
  // Returns the time to program a page in native mode, in all passes, averaged over the pages of a wordline.
  Tick mean_page_program() const {
    if (!programs_wordlines) return t_prog;
    const Tick loads = program_passes * (bits_per_cell() - 1) * t_load;
    return (t_prog + (two_passes() ? t_prog_first : 0) + loads) / bits_per_cell();
  }
  bool two_passes() const { return program_passes == 2; }

  bool programs_wordlines;  // the last page of a wordline programs all of its pages
  Tick t_load;              // time to load another page of the wordline
  Tick t_prog;              // time to program a page, or a wordline in its last pass
  std::uint32_t program_passes;
  Tick t_prog_first;  // time of the first of two passes
  Tick t_prog_slc;
  double step_mv;  // ISPP step with which a program lasts t_prog
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
  Divisor bits_;                              // bits of a cell
  std::vector<std::vector<double>> read_us_;  // tR in us, indexed by page type and number of senses
};

}  // namespace nandscape::nand

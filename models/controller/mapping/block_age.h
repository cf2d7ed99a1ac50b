// SPDX-License-Identifier: Apache-2.0
// What bears on the errors of a block's data, as far as the controller knows it.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

namespace nandscape::controller {

struct BlockAge {
  double age_hours = 0;  // since its oldest data were programmed, each hour counted as so many at 30 C
  std::uint32_t pe_cycles = 0;
  std::uint64_t reads_since_program = 0;
  double hours_since_renewal = 0;  // as age_hours; of data that were never renewed in place, their age
};

// The mean raw bit error rate of a block's pages.
using RberPredictor = std::function<double(const BlockAge&)>;

// By layer, the step of the retry table at which pages of such a block are read; none where they are read at no step.
using LayerSteps = std::function<std::vector<std::optional<std::uint8_t>>(const BlockAge&)>;

// tR of a page of a wordline, by its type, as long as all pages of the wordline are valid, or after an adjustment that
// has left those of the set (bit p for type p).
using PageReadTime = std::function<double(std::uint32_t type, std::uint32_t valid_pages)>;

// What there is to know of the flash and of its code.
struct RefreshContext {
  RberPredictor predicted_rber;
  double correctable_rber = 0;  // raw bit error rate up to which codewords are corrected
  bool has_capacitor = false;
  double hold_up_ms = 0;   // for which it feeds the drive beyond the longest save
  double t_adjust_ms = 0;  // of a voltage adjustment
  double t_prog_ms = 0;    // of a page
  PageReadTime read_us;
  bool reads_counted = false;  // of each block
  bool copyback = false;       // collection moves pages within the flash
  bool has_parity = false;     // pages of a row protect each other
  std::uint32_t pages_per_wordline = 1;
};

}  // namespace nandscape::controller

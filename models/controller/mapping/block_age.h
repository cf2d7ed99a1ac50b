// SPDX-License-Identifier: Apache-2.0
// The facts about a block that affect the errors of its data, as far as the controller knows them.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

namespace nandscape::controller {

struct BlockAge {
  double age_hours = 0;  // since its oldest data were programmed, in equivalent hours at 30 C
  std::uint32_t pe_cycles = 0;
  std::uint64_t reads_since_program = 0;
  double hours_since_renewal = 0;  // like age_hours; equal to it if the data were never renewed in place
};

// The mean raw bit error rate of a block's pages.
using RberPredictor = std::function<double(const BlockAge&)>;

// For each layer, the step of the retry table at which pages of such a block can be read, or nothing if no step reads
// them.
using LayerSteps = std::function<std::vector<std::optional<std::uint8_t>>(const BlockAge&)>;

// tR in us of a page with that type in its wordline. `valid_pages` is the set of pages that an adjustment of the
// wordline has left valid; before an adjustment, all pages. Bit p stands for type p.
using PageReadTime = std::function<double(std::uint32_t type, std::uint32_t valid_pages)>;

// Facts about the flash and its code.
struct RefreshContext {
  RberPredictor predicted_rber;
  double correctable_rber = 0;  // raw bit error rate up to which codewords are corrected
  double hold_up_ms = 0;        // time that the capacitor lasts beyond the longest save
  double t_adjust_ms = 0;       // time of a voltage adjustment
  double t_prog_ms = 0;         // time to program a page
  PageReadTime read_us;
  bool reads_counted = false;  // the controller counts the reads of each block
  std::uint32_t pages_per_wordline = 1;
};

}  // namespace nandscape::controller

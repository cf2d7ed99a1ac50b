// SPDX-License-Identifier: Apache-2.0
// Age, wear and reads of a block, from which the controller estimates the bit errors of the block's data.
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
  double hours_since_renewal = 0;  // since the latest renewal in place, or age_hours if there was none
};

// Returns the predicted raw bit error rate of a block, averaged over its pages.
using RberPredictor = std::function<double(const BlockAge&)>;

// Returns for each layer the step of the retry table with which the pages of such a block can be read, or nothing if no
// step can read them.
using LayerSteps = std::function<std::vector<std::optional<std::uint8_t>>(const BlockAge&)>;

// Returns tR in us of a page. `type` is the number of the page in its wordline. `valid_pages` is the set of pages of
// the wordline that are still valid after the voltages of the wordline have been adjusted: bit p stands for type p.
// Before an adjustment, all bits are set.
using PageReadTime = std::function<double(std::uint32_t type, std::uint32_t valid_pages)>;

// The facts about the flash and its code that a refresh policy needs.
struct RefreshContext {
  RberPredictor predicted_rber;
  double correctable_rber = 0;  // highest raw bit error rate at which codewords are corrected
  double hold_up_ms = 0;        // capacitor's hold-up time minus the duration of the longest save
  double t_adjust_ms = 0;       // duration of a voltage adjustment
  double t_prog_ms = 0;         // duration of a page program
  PageReadTime read_us;
  bool reads_counted = false;  // whether the controller counts the reads of each block
  std::uint32_t pages_per_wordline = 1;
};

}  // namespace nandscape::controller

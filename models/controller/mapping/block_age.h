// SPDX-License-Identifier: Apache-2.0
// Age, wear and reads of a block, from which the controller estimates the bit errors of the block's data.
#pragma once

#include <algorithm>
#include <bit>
#include <compare>
#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

namespace nandscape::controller {

struct BlockAge {
  double age_hours = 0;         // since its oldest data were programmed, in equivalent hours at 30 C
  std::uint32_t pe_cycles = 0;  // program/erase cycles, including those before the simulation
  std::uint32_t erases = 0;     // since the start of the simulation
  std::uint64_t reads_since_program = 0;
  double hours_since_renewal = 0;  // since the latest renewal in place, or age_hours if there was none
};

// A class of blocks whose cells have drifted alike. Each class is twice as old, or has twice the cycles, as the one
// before, since drift grows about as the logarithm of age, and as a power of the cycles. Class 0 is less than an hour
// old, class n at least 2^(n-1) hours; likewise for cycles.
struct AgeClass {
  auto operator<=>(const AgeClass&) const = default;

  std::uint8_t hours = 0;
  std::uint8_t pe_cycles = 0;
};

inline constexpr std::uint8_t most_age_class = 32;

inline AgeClass age_class(const BlockAge& age) {
  const double hours = std::clamp(age.age_hours, 0.0, 4294967295.0);
  return {static_cast<std::uint8_t>(std::bit_width(static_cast<std::uint32_t>(hours))),
          static_cast<std::uint8_t>(std::bit_width(age.pe_cycles))};
}

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

// SPDX-License-Identifier: Apache-2.0
// The order in which the steps of the retry table are tried: from the default levels up, or from a step at which
// similar pages were read before.
#pragma once

#include <cstdint>

namespace nandscape::controller {

// The order after the first step. outwards: the steps above and below it in turn, as if the memory were inexact.
// upwards: the steps above it first, as if it were outdated, since cells only lose charge.
enum class StepSearch : std::uint8_t { outwards, upwards };

class StepOrder {
 public:
  StepOrder() = default;
  // The first read uses step `first`. The table has steps 1 to `last`; 0 is the default levels.
  StepOrder(std::uint8_t first, std::uint8_t last, StepSearch search = StepSearch::outwards)
      : first_(first), last_(last), search_(search) {}

  // The number of steps.
  unsigned size() const { return last_ + 1u; }

  // The n-th step, n < size(). Each step of 0 .. last occurs once, step `first` comes first.
  std::uint8_t operator[](unsigned n) const {
    if (n == 0) return first_;
    const unsigned below = first_;
    const unsigned above = last_ - first_;
    if (search_ == StepSearch::upwards) return static_cast<std::uint8_t>(n <= above ? first_ + n : last_ - n);
    // Pairs above and below while the table continues on both sides; then the rest of the longer side.
    const unsigned paired = 2 * (below < above ? below : above);
    if (n > paired) return static_cast<std::uint8_t>(below < above ? n : last_ - n);
    return static_cast<std::uint8_t>(n % 2 == 1 ? first_ + (n + 1) / 2 : first_ - n / 2);
  }

 private:
  std::uint8_t first_ = 0;
  std::uint8_t last_ = 0;
  StepSearch search_ = StepSearch::outwards;
};

}  // namespace nandscape::controller

// SPDX-License-Identifier: Apache-2.0
// In which order the steps of the retry table are tried: from the default levels up, or outwards from a step at which
// pages like this one have been read before.
#pragma once

#include <cstdint>

namespace nandscape::controller {

class StepOrder {
 public:
  StepOrder() = default;
  // The first read is made at step `first`; the table has the steps 1 to `last`, 0 are the default levels.
  StepOrder(std::uint8_t first, std::uint8_t last) : first_(first), last_(last) {}

  // How many steps there are.
  unsigned size() const { return last_ + 1u; }

  // The n-th one, n < size(): each step of 0 .. last once, step `first` before all.
  std::uint8_t operator[](unsigned n) const {
    if (n == 0) return first_;
    // Pairs above and below, as long as the table goes on on both sides; then the rest of the longer side.
    const unsigned below = first_;
    const unsigned above = last_ - first_;
    const unsigned paired = 2 * (below < above ? below : above);
    if (n > paired) return static_cast<std::uint8_t>(below < above ? n : last_ - n);
    return static_cast<std::uint8_t>(n % 2 == 1 ? first_ + (n + 1) / 2 : first_ - n / 2);
  }

 private:
  std::uint8_t first_ = 0;
  std::uint8_t last_ = 0;
};

}  // namespace nandscape::controller

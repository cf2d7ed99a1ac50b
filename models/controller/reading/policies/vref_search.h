// SPDX-License-Identifier: Apache-2.0
// Searches for the read voltage at which a page has the fewest errors, along the steps of the retry table. It tries the
// steps at a given distance above and below the best known one. When neither is better, it halves the distance. Errors
// grow on both sides of the optimum, so few steps have to be read: a controller moves the voltage while the error count
// falls (valley search; Cai et al., Proceedings of the IEEE 2017, section on read-reference voltage optimisation).
#pragma once

#include <bitset>
#include <cstdint>
#include <optional>

namespace nandscape::controller {

class VrefSearch {
 public:
  // Searches steps 0 to `last`, beginning at distance `stride`; a stride of 0 searches nothing.
  VrefSearch(std::uint8_t last, std::uint32_t stride) : last_(last), stride_(stride) {}

  // Records the errors of a read at that step.
  void found(std::uint8_t step, std::uint32_t errors) {
    tried_.set(step);
    if (errors >= fewest_) return;
    fewest_ = errors;
    best_ = step;
  }

  // Returns the step to read next, or nothing when no step near the best one is left. found() must have been called
  // before.
  std::optional<std::uint8_t> next() {
    for (; stride_ > 0; stride_ /= 2) {
      const std::uint32_t above = best_ + stride_;
      if (above <= last_ && !tried_[above]) return static_cast<std::uint8_t>(above);
      if (best_ >= stride_ && !tried_[best_ - stride_]) return static_cast<std::uint8_t>(best_ - stride_);
    }
    return std::nullopt;
  }

  std::uint8_t best() const { return best_; }

 private:
  std::uint8_t last_;
  std::uint32_t stride_;
  std::bitset<256> tried_;
  std::uint8_t best_ = 0;
  std::uint64_t fewest_ = std::uint64_t{1} << 32;  // more than any read has
};

}  // namespace nandscape::controller

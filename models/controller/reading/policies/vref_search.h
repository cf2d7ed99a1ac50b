// SPDX-License-Identifier: Apache-2.0
// Searches the steps of the retry table for the read voltage at which a page has the fewest errors. The search tries
// the steps at a certain distance above and below the best step so far, and halves the distance when neither step is
// better. Few steps have to be read because the error count grows on both sides of the optimum, as in the valley search
// of real controllers (Cai et al., Proceedings of the IEEE 2017, section on read-reference voltage optimisation).
#pragma once

#include <bitset>
#include <cstdint>
#include <optional>

namespace nandscape::controller {

class VrefSearch {
 public:
  // Searches the steps 0 to `last`, first at the distance `stride`. With a stride of 0, next() returns nothing.
  VrefSearch(std::uint8_t last, std::uint32_t stride) : last_(last), stride_(stride) {}

  // Records that a read with `step` had `errors` bit errors.
  void found(std::uint8_t step, std::uint32_t errors) {
    tried_.set(step);
    if (errors >= fewest_) return;
    fewest_ = errors;
    best_ = step;
  }

  // Returns the step to read next, or nothing if all steps near the best one have been tried. found() must have been
  // called at least once.
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
  std::uint64_t fewest_ = std::uint64_t{1} << 32;  // more errors than any read can have
};

}  // namespace nandscape::controller

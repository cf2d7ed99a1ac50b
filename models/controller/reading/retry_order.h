// SPDX-License-Identifier: Apache-2.0
// In which order the steps of the retry table are tried: from the default levels up, or outwards from a step at which
// pages like this one have been read before. At each step, soft reads try one sensing level after the other: 1, 2, ...
#pragma once

#include <cstdint>

namespace nandscape {

// One read of a page.
struct ReadAttempt {
  std::uint8_t step = 0;
  std::uint8_t sensing_levels = 1;
};

class RetryOrder {
 public:
  RetryOrder() = default;
  // The first read is made at step `first`; the table has the steps 1 to `last`, 0 are the default levels. A step is
  // left when as many sensing levels as `most_levels` have not sufficed.
  RetryOrder(std::uint8_t first, std::uint8_t last, std::uint8_t most_levels = 1)
      : first_(first), last_(last), most_levels_(most_levels) {}

  bool exhausted() const { return tried_ == (last_ + 1u) * most_levels_; }

  // How many reads of the order are over or under way.
  std::uint16_t tried() const { return tried_; }

  // The next read: each step of 0 .. last once with each number of levels, step `first` before all.
  ReadAttempt next() {
    const unsigned n = tried_++;
    return {step(n / most_levels_), static_cast<std::uint8_t>(n % most_levels_ + 1)};
  }

 private:
  std::uint8_t step(unsigned n) const {
    if (n == 0) return first_;
    // Pairs above and below, as long as the table goes on on both sides; then the rest of the longer side.
    const unsigned below = first_;
    const unsigned above = last_ - first_;
    const unsigned paired = 2 * (below < above ? below : above);
    if (n > paired) return static_cast<std::uint8_t>(below < above ? n : last_ - n);
    return static_cast<std::uint8_t>(n % 2 == 1 ? first_ + (n + 1) / 2 : first_ - n / 2);
  }

  std::uint8_t first_ = 0;
  std::uint8_t last_ = 0;
  std::uint8_t most_levels_ = 1;
  std::uint16_t tried_ = 0;
};

}  // namespace nandscape

// SPDX-License-Identifier: Apache-2.0
// Replaces the division by a divisor that is known in advance with a multiplication, which is faster.
#pragma once

#include <cassert>
#include <cstdint>

namespace nandscape {

class Divisor {
 public:
  // The quotients are exact for every n < 2^64 / d. With m = floor(2^64 / d) + 1, the value n m / 2^64 exceeds n / d by
  // at most n / 2^64. This excess is less than 1 / d, so the value never reaches the next integer.
  explicit Divisor(std::uint32_t divisor)
      : divisor_(divisor), multiplier_(divisor == 1 ? 0 : ~std::uint64_t{0} / divisor + 1) {
    assert(divisor != 0);
  }

  std::uint32_t value() const { return divisor_; }

  std::uint64_t quotient(std::uint64_t n) const {
    if (multiplier_ == 0) return n;
    return static_cast<std::uint64_t>(static_cast<unsigned __int128>(n) * multiplier_ >> 64);
  }
  std::uint32_t remainder(std::uint64_t n) const { return static_cast<std::uint32_t>(n - quotient(n) * divisor_); }

 private:
  std::uint32_t divisor_;
  std::uint64_t multiplier_;  // 0 if the divisor is 1, because the multiplier 2^64 would not fit
};

}  // namespace nandscape

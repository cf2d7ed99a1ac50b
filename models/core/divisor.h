// SPDX-License-Identifier: Apache-2.0
// Replaces the division by a divisor that is known in advance with a multiplication, which is faster.
#pragma once

#include <cassert>
#include <cstdint>

namespace nandscape {

class Divisor {
 public:
  // The quotients are exact if (n + 1) d <= 2^64. With m = floor((2^64 - 1) / d), the value (n + 1) m / 2^64 is less
  // than (n + 1) / d by at most (n + 1) / 2^64. This is not more than 1 / d, so the value lies between n / d and the
  // next integer.
  explicit Divisor(std::uint32_t divisor) : divisor_(divisor), multiplier_(~std::uint64_t{0} / divisor) {
    assert(divisor != 0);
  }

  std::uint32_t value() const { return divisor_; }

  std::uint64_t quotient(std::uint64_t n) const {
    return static_cast<std::uint64_t>(static_cast<unsigned __int128>(n + 1) * multiplier_ >> 64);
  }
  std::uint32_t remainder(std::uint64_t n) const { return static_cast<std::uint32_t>(n - quotient(n) * divisor_); }

 private:
  std::uint32_t divisor_;
  std::uint64_t multiplier_;
};

}  // namespace nandscape

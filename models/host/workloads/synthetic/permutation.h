// SPDX-License-Identifier: Apache-2.0
// A pseudo-random one-to-one mapping of the numbers 0..n-1 to themselves. It needs no table.
#pragma once

#include <array>
#include <bit>
#include <cstdint>

#include "core/random.h"

namespace nandscape::host {

class Permutation {
 public:
  Permutation(std::uint64_t n, std::uint64_t seed) : n_(n) {
    const int bits = n > 1 ? std::bit_width(n - 1) : 1;
    mask_ = ~std::uint64_t{0} >> (64 - bits);
    shift_ = (bits + 1) / 2;
    for (std::uint64_t& key : keys_) key = seed = mix64(seed);
  }

  // The inner loop maps the numbers 0..2^bits-1 one-to-one to themselves. If the result is not in 0..n-1, it is mapped
  // again. This happens less than once on average, because n is more than half of 2^bits. The outer loop ends, because
  // repeated mapping of an element below n leads back to this element.
  std::uint64_t operator()(std::uint64_t element) const {
    do {
      for (const std::uint64_t key : keys_) {
        element = (element * (key | 1) + (key >> 1)) & mask_;
        element ^= element >> shift_;
      }
    } while (element >= n_);
    return element;
  }

 private:
  std::uint64_t n_;
  std::uint64_t mask_;
  int shift_;
  std::array<std::uint64_t, 3> keys_;
};

}  // namespace nandscape::host

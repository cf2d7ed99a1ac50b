// SPDX-License-Identifier: Apache-2.0
#include "controller/content/state_counts.h"

#include <algorithm>
#include <bit>
#include <cstdint>
#include <cstring>
#include <stdexcept>

namespace nandscape::controller {

namespace {

constexpr std::size_t word_bytes = sizeof(std::uint64_t);

// Up to a word; bytes beyond the end are 0.
std::uint64_t load(const std::byte* bytes, std::size_t count) {
  std::uint64_t word = 0;
  std::memcpy(&word, bytes, count);
  return word;
}

void check_alike(std::span<const std::byte> lsb, std::span<const std::byte> msb) {
  if (lsb.size() != msb.size()) throw std::invalid_argument("the pages of a wordline have one size");
}

// What three counts tell of all four states.
struct Ones {
  std::uint32_t left = 0;
  std::uint32_t right = 0;
  std::uint32_t both = 0;

  void add(std::uint64_t left_bits, std::uint64_t right_bits) {
    left += static_cast<std::uint32_t>(std::popcount(left_bits));
    right += static_cast<std::uint32_t>(std::popcount(right_bits));
    both += static_cast<std::uint32_t>(std::popcount(left_bits & right_bits));
  }

  StateCounts of(std::size_t cells) const {
    return {{{both, left - both, right - both, static_cast<std::uint32_t>(cells) - left - right + both}}};
  }
};

}  // namespace

StateCounts count_states(std::span<const std::byte> lsb, std::span<const std::byte> msb) {
  check_alike(lsb, msb);
  Ones ones;
  std::size_t at = 0;
  for (; at + word_bytes <= lsb.size(); at += word_bytes) {
    ones.add(load(msb.data() + at, word_bytes), load(lsb.data() + at, word_bytes));
  }
  const std::size_t rest = lsb.size() - at;
  if (rest > 0) ones.add(load(msb.data() + at, rest), load(lsb.data() + at, rest));
  return ones.of(8 * lsb.size());
}

void count_segments(std::span<const std::byte> lsb, std::span<const std::byte> msb, std::span<StateCounts> segments) {
  check_alike(lsb, msb);
  if (segments.empty() || lsb.size() % segments.size() != 0) {
    throw std::invalid_argument("a page is a whole number of segments");
  }
  const std::size_t bytes = lsb.size() / segments.size();
  for (std::size_t s = 0; s < segments.size(); ++s) {
    segments[s] = count_states(lsb.subspan(s * bytes, bytes), msb.subspan(s * bytes, bytes));
  }
}

StateCounts count_symbols(std::span<const std::byte> bytes) {
  constexpr std::uint64_t right_digits = 0x5555555555555555;
  Ones ones;
  for (std::size_t at = 0; at < bytes.size(); at += word_bytes) {
    const std::uint64_t word = load(bytes.data() + at, std::min(word_bytes, bytes.size() - at));
    ones.add(word >> 1 & right_digits, word & right_digits);
  }
  return ones.of(4 * bytes.size());
}

}  // namespace nandscape::controller

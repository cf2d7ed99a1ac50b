// SPDX-License-Identifier: Apache-2.0
#include "controller/content/cell_states.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <cstring>
#include <stdexcept>

namespace nandscape::controller {

namespace {

using Word = std::uint64_t;
constexpr std::size_t words_at_once = 8;
using Words = std::array<Word, words_at_once>;

// Returns the first words of `bytes`. If `bytes` is shorter, the rest is filled with zeroes.
Words load(std::span<const std::byte> bytes) {
  Words words{};
  // The size is a constant here, so that the compiler inlines the copy.
  if (bytes.size() >= sizeof words) {
    std::memcpy(words.data(), bytes.data(), sizeof words);
  } else {
    std::memcpy(words.data(), bytes.data(), bytes.size());
  }
  return words;
}

// Counts the 1 bits of many words with the method of Harley and Seal [Warren, "Hacker's Delight"]. Full adders add
// eight words bit by bit, and only the carries of weight eight are counted, with one popcount for eight words.
class OnesCounter {
 public:
  void add(const Words& w) {
    const Word fours_a = add(twos_, add(ones_, w[0], w[1]), add(ones_, w[2], w[3]));
    const Word fours_b = add(twos_, add(ones_, w[4], w[5]), add(ones_, w[6], w[7]));
    eights_ += count(add(fours_, fours_a, fours_b));
  }

  std::uint32_t total() const { return 8 * eights_ + 4 * count(fours_) + 2 * count(twos_) + count(ones_); }

 private:
  static std::uint32_t count(Word word) { return static_cast<std::uint32_t>(std::popcount(word)); }
  // A full adder for each bit position: stores the sum bits in `sum` and returns the carry bits.
  static Word add(Word& sum, Word a, Word b) {
    const Word half = sum ^ a;
    const Word carry = (sum & a) | (half & b);
    sum = half ^ b;
    return carry;
  }

  Word ones_ = 0, twos_ = 0, fours_ = 0;
  std::uint32_t eights_ = 0;
};

// Counts the cells in each of the four states. Three counts of 1 bits suffice: those of the left digits, of the right
// digits, and of both together.
class StateCounter {
 public:
  void add(const Words& left, const Words& right) {
    Words both;
    for (std::size_t w = 0; w < words_at_once; ++w) both[w] = left[w] & right[w];
    left_.add(left);
    right_.add(right);
    both_.add(both);
  }

  StateCounts of(std::size_t cells) const {
    const std::uint32_t left = left_.total(), right = right_.total(), both = both_.total();
    return {{{both, left - both, right - both, static_cast<std::uint32_t>(cells) - left - right + both}}};
  }

 private:
  OnesCounter left_, right_, both_;
};

void check_alike(std::span<const std::byte> lsb, std::span<const std::byte> msb) {
  if (lsb.size() != msb.size()) throw std::invalid_argument("the pages of a wordline have one size");
}

}  // namespace

StateCounts count_states(std::span<const std::byte> lsb, std::span<const std::byte> msb) {
  check_alike(lsb, msb);
  StateCounter states;
  for (std::size_t at = 0; at < lsb.size(); at += sizeof(Words))
    states.add(load(msb.subspan(at)), load(lsb.subspan(at)));
  return states.of(8 * lsb.size());
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
  constexpr Word right_digits = 0x5555555555555555;
  StateCounter states;
  for (std::size_t at = 0; at < bytes.size(); at += sizeof(Words)) {
    Words left = load(bytes.subspan(at)), right = left;
    for (Word& word : left) word = word >> 1 & right_digits;
    for (Word& word : right) word &= right_digits;
    states.add(left, right);
  }
  return states.of(4 * bytes.size());
}

}  // namespace nandscape::controller

// SPDX-License-Identifier: Apache-2.0
// Codewords for tests of codecs, stored as payload and parity.
#pragma once

#include <cstddef>
#include <cstdint>
#include <set>
#include <vector>

#include "core/random.h"
#include "ecc/codes/codec.h"

namespace nandscape::ecc {

struct Word {
  explicit Word(const Codec& codec) : payload(codec.payload_bytes()), parity(codec.parity_bytes()) {}

  bool operator==(const Word&) const = default;

  bool bit(std::size_t i) const { return (byte_of(i) & mask(i)) != std::byte{0}; }
  void flip(std::size_t i) { const_cast<std::byte&>(byte_of(i)) ^= mask(i); }

  std::vector<std::byte> payload;
  std::vector<std::byte> parity;

 private:
  const std::byte& byte_of(std::size_t i) const {
    return i / 8 < payload.size() ? payload[i / 8] : parity[i / 8 - payload.size()];
  }
  static std::byte mask(std::size_t i) { return std::byte{1} << i % 8; }
};

inline Word random_codeword(Codec& codec, RandomStream& random) {
  Word word(codec);
  for (std::byte& byte : word.payload) byte = static_cast<std::byte>(random());
  codec.encode(word.payload.data(), word.parity.data());
  return word;
}

inline Word with_errors(Word word, const std::set<std::size_t>& bits) {
  for (const std::size_t bit : bits) word.flip(bit);
  return word;
}

// Returns `count` different random bit positions in [first, last).
inline std::set<std::size_t> random_bits(std::size_t count, std::size_t first, std::size_t last, RandomStream& random) {
  std::set<std::size_t> bits;
  while (bits.size() < count) bits.insert(first + random.below(last - first));
  return bits;
}

inline DecodeOutcome decode(Codec& codec, Word& word) { return codec.decode(word.payload.data(), word.parity.data()); }

inline std::uint32_t distance(const Word& a, const Word& b) {
  std::uint32_t bits = 0;
  for (std::size_t i = 0; i < 8 * (a.payload.size() + a.parity.size()); ++i) bits += a.bit(i) != b.bit(i);
  return bits;
}

}  // namespace nandscape::ecc

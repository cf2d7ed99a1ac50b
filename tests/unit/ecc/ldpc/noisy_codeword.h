// SPDX-License-Identifier: Apache-2.0
// Makes codewords of random payloads, and adds noise to them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "core/random.h"
#include "ecc/codes/codec.h"
#include "ecc/codes/sensing_channel.h"

namespace nandscape::ecc {

struct StoredCodeword {
  std::vector<std::byte> payload;
  std::vector<std::byte> parity;

  bool operator==(const StoredCodeword&) const = default;

  bool bit(std::size_t i) const {
    const std::size_t in_parity = i - 8 * payload.size();
    const bool of_payload = i < 8 * payload.size();
    const std::byte byte = of_payload ? payload[i / 8] : parity[in_parity / 8];
    return (std::to_integer<unsigned>(byte) >> i % 8 & 1) != 0;
  }
  void flip(std::size_t i) {
    const bool of_payload = i < 8 * payload.size();
    std::byte& byte = of_payload ? payload[i / 8] : parity[i / 8 - payload.size()];
    byte ^= std::byte{1} << i % 8;
  }
};

inline StoredCodeword random_codeword(Codec& codec, RandomStream& random) {
  StoredCodeword codeword{std::vector<std::byte>(codec.payload_bytes()), std::vector<std::byte>(codec.parity_bytes())};
  for (std::byte& byte : codeword.payload) byte = static_cast<std::byte>(random());
  codec.encode(codeword.payload.data(), codeword.parity.data());
  return codeword;
}

// Flips exactly `flips` different bits at random.
inline void flip_bits(StoredCodeword& codeword, std::uint32_t codeword_bits, std::uint32_t flips,
                      RandomStream& random) {
  std::vector<bool> flipped(codeword_bits);
  while (flips > 0) {
    const std::size_t bit = random.below(codeword_bits);
    if (flipped[bit]) continue;
    flipped[bit] = true;
    codeword.flip(bit);
    --flips;
  }
}

// Returns the LLRs of a random soft read of `written` whose hard decisions are the bits of `read`.
inline std::vector<std::int8_t> soft_read(const StoredCodeword& written, const StoredCodeword& read,
                                          std::uint32_t codeword_bits, const SensingChannel& channel,
                                          RandomStream& random) {
  std::vector<std::int8_t> llr(codeword_bits);
  for (std::size_t i = 0; i < llr.size(); ++i) {
    const bool bit = written.bit(i);
    llr[i] = channel.regions()[channel.sample(bit, bit != read.bit(i), random.uniform())].llr;
  }
  return llr;
}

}  // namespace nandscape::ecc

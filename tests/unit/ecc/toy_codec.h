// SPDX-License-Identifier: Apache-2.0
// A code whose failure rate is known exactly: the number of errors that it corrects has a Gaussian distribution over
// codewords.
#pragma once

#include <bit>
#include <cmath>
#include <cstddef>
#include <numbers>
#include <vector>

#include "core/random.h"
#include "ecc/codes/codec.h"

namespace nandscape::ecc {

class ToyCodec : public Codec {
 public:
  static constexpr std::uint32_t bytes = 256;
  static constexpr std::uint32_t bits = 8 * bytes + 4;
  static constexpr double mean = 60, deviation = 5;

  static double failure_probability(double errors) {
    return std::erfc((mean - errors) / (deviation * std::numbers::sqrt2)) / 2;
  }
  static double mean_iterations(std::uint32_t errors) { return 1 + errors / 8; }

  std::uint32_t payload_bytes() const override { return bytes; }
  std::uint32_t parity_bytes() const override { return 1; }
  std::uint32_t codeword_bits() const override { return bits; }

  void encode(const std::byte* payload, std::byte* parity) override {
    written_.assign(payload, payload + bytes);
    *parity = std::byte{0};
  }

  // Decodes a codeword. Half of the frames that fail are reported as corrected, as miscorrections.
  DecodeOutcome decode(std::byte* payload, std::byte* parity) override {
    std::uint32_t errors = ones(*parity);
    std::uint64_t hash = 0;
    for (std::uint32_t k = 0; k < bytes; ++k) {
      errors += ones(payload[k] ^ written_[k]);
      hash = mix64(hash ^ static_cast<std::uint64_t>(written_[k]));
    }
    DecodeOutcome outcome{true, errors, static_cast<std::uint32_t>(mean_iterations(errors))};
    if (static_cast<double>(hash >> 11) * 0x1.0p-53 < failure_probability(errors)) {
      outcome.corrected = hash % 2 == 0;
      payload[0] = ~written_[0];
      return outcome;
    }
    std::copy(written_.begin(), written_.end(), payload);
    *parity = std::byte{0};
    return outcome;
  }

  DecodeOutcome decode_soft(std::span<const std::int8_t>, std::byte*, std::byte*) override { return {}; }

 private:
  static std::uint32_t ones(std::byte byte) { return std::popcount(static_cast<std::uint8_t>(byte)); }

  std::vector<std::byte> written_;
};

inline CodeMeasurement nothing_of_toy() { return {{"ldpc", 256, 0, 1}, 7, ToyCodec::bytes, ToyCodec::bits, {}, {}}; }

}  // namespace nandscape::ecc

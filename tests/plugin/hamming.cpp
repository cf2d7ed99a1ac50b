// SPDX-License-Identifier: Apache-2.0
// A test plug-in whose codec is a Hamming code, which corrects one wrong bit per codeword [Hamming 1950].
#include <bit>
#include <cstdio>

#include "protocol/plugin/plugin.h"

using namespace nandscape::plugin;

namespace {

// Each bit of the codeword has a number. Parity bits have the powers of two, and payload bits have the other numbers
// from 3 on. In a valid codeword, the XOR of the numbers of all bits that are 1 is 0.
class Hamming final : public Codec {
 public:
  explicit Hamming(std::uint32_t payload_bytes) : payload_bytes_(payload_bytes) {
    while ((1u << parity_bits_) - 1 - parity_bits_ < 8 * payload_bytes_) ++parity_bits_;
  }

  CodecFacts facts() const override {
    return {.name = "hamming", .payload_bytes = payload_bytes_, .parity_bits = parity_bits_, .correctable_bits = 1};
  }

  void encode(const std::byte* payload, std::byte* parity) override {
    const std::uint32_t sum = sum_of(payload);
    for (std::uint32_t k = 0; 8 * k < parity_bits_; ++k) parity[k] = static_cast<std::byte>(sum >> 8 * k);
  }

  // If exactly one bit is wrong, the XOR of the numbers is the number of that bit.
  DecodeOutcome decode(std::byte* payload, std::byte* parity) override {
    std::uint32_t sum = sum_of(payload);
    for (std::uint32_t k = 0; 8 * k < parity_bits_; ++k) sum ^= std::to_integer<std::uint32_t>(parity[k]) << 8 * k;
    sum &= (1u << parity_bits_) - 1;  // bits beyond the parity are padding
    if (sum == 0) return {.corrected = 1};
    if (std::has_single_bit(sum)) {
      flip(parity, static_cast<std::uint32_t>(std::countr_zero(sum)));
      return {.corrected = 1, .corrected_bits = 1};
    }
    // There are sum - 1 smaller numbers. The bit_width(sum) powers of two among them belong to parity bits, and the
    // other numbers belong to payload bits.
    const std::uint32_t bit = sum - 1 - static_cast<std::uint32_t>(std::bit_width(sum));
    if (bit >= 8 * payload_bytes_) return {};  // the codeword has no bit with this number
    flip(payload, bit);
    return {.corrected = 1, .corrected_bits = 1};
  }

 private:
  static void flip(std::byte* bits, std::uint32_t bit) { bits[bit / 8] ^= std::byte{1} << bit % 8; }

  std::uint32_t sum_of(const std::byte* payload) const {
    std::uint32_t sum = 0;
    std::uint32_t n = 2;
    for (std::uint32_t bit = 0; bit < 8 * payload_bytes_; ++bit) {
      do ++n;
      while (std::has_single_bit(n));
      if ((payload[bit / 8] >> bit % 8 & std::byte{1}) != std::byte{0}) sum ^= n;
    }
    return sum;
  }

  const std::uint32_t payload_bytes_;
  std::uint32_t parity_bits_ = 1;
};

class HammingPlugin final : public Plugin {
 public:
  Codec* make_codec(const CodecRequest& request, std::span<char> why_not) override {
    if (*request.options != '\0') {
      std::snprintf(why_not.data(), why_not.size(), "a Hamming code has no options, but was given '%s'",
                    request.options);
      return nullptr;
    }
    return new Hamming(request.payload_bytes);
  }
};

}  // namespace

NANDSCAPE_PLUGIN(HammingPlugin)

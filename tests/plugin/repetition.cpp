// SPDX-License-Identifier: Apache-2.0
// A test plug-in whose codec stores several copies of the payload and decides each bit by majority. Its option is the
// number of copies, which must be odd; the default is 3.
#include <cstdio>
#include <cstdlib>
#include <cstring>

#include "protocol/plugin/plugin.h"

using namespace nandscape::plugin;

namespace {

class Repetition final : public Codec {
 public:
  Repetition(std::uint32_t payload_bytes, std::uint32_t copies) : payload_bytes_(payload_bytes), copies_(copies) {}

  CodecFacts facts() const override {
    return {.name = "repetition",
            .payload_bytes = payload_bytes_,
            .parity_bits = 8 * payload_bytes_ * (copies_ - 1),
            .correctable_bits = copies_ / 2};
  }

  void encode(const std::byte* payload, std::byte* parity) override {
    for (std::uint32_t k = 0; k + 1 < copies_; ++k) std::memcpy(parity + k * payload_bytes_, payload, payload_bytes_);
  }

  DecodeOutcome decode(std::byte* payload, std::byte* parity) override {
    std::uint32_t corrected = 0;
    for (std::uint32_t bit = 0; bit < 8 * payload_bytes_; ++bit) {
      std::uint32_t ones = 0;
      for (std::uint32_t copy = 0; copy < copies_; ++copy) ones += of_copy(payload, parity, copy, bit);
      const bool one = ones > copies_ / 2;
      corrected += one ? copies_ - ones : ones;
      for (std::uint32_t copy = 0; copy < copies_; ++copy) {
        if (of_copy(payload, parity, copy, bit) != one) flip(payload, parity, copy, bit);
      }
    }
    return {.corrected = 1, .corrected_bits = corrected};
  }

 private:
  std::byte& byte_of(std::byte* payload, std::byte* parity, std::uint32_t copy, std::uint32_t bit) const {
    return (copy == 0 ? payload : parity + (copy - 1) * payload_bytes_)[bit / 8];
  }
  bool of_copy(std::byte* payload, std::byte* parity, std::uint32_t copy, std::uint32_t bit) const {
    return (byte_of(payload, parity, copy, bit) >> bit % 8 & std::byte{1}) != std::byte{0};
  }
  void flip(std::byte* payload, std::byte* parity, std::uint32_t copy, std::uint32_t bit) const {
    byte_of(payload, parity, copy, bit) ^= std::byte{1} << bit % 8;
  }

  const std::uint32_t payload_bytes_;
  const std::uint32_t copies_;
};

class RepetitionPlugin final : public Plugin {
 public:
  Codec* make_codec(const CodecRequest& request, std::span<char> why_not) override {
    const unsigned long copies = *request.options == '\0' ? 3 : std::strtoul(request.options, nullptr, 10);
    if (copies % 2 == 0 || copies > 99) {
      std::snprintf(why_not.data(), why_not.size(), "the number of copies is odd and at most 99, not '%s'",
                    request.options);
      return nullptr;
    }
    return new Repetition(request.payload_bytes, static_cast<std::uint32_t>(copies));
  }
};

}  // namespace

NANDSCAPE_PLUGIN(RepetitionPlugin)

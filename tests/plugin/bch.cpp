// SPDX-License-Identifier: Apache-2.0
// A test plug-in whose codec is nandscape's own BCH code, loaded from a separate library. Its option is t, the number
// of correctable bits.
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <memory>
#include <utility>

#include "ecc/codes/codec.h"
#include "protocol/plugin/plugin.h"

namespace nandscape {
namespace {

class Bch final : public plugin::Codec {
 public:
  Bch(std::unique_ptr<ecc::Codec> codec, std::uint32_t correctable_bits)
      : codec_(std::move(codec)), correctable_bits_(correctable_bits) {}

  plugin::CodecFacts facts() const override {
    return {.name = "bch",
            .payload_bytes = codec_->payload_bytes(),
            .parity_bits = codec_->codeword_bits() - 8 * codec_->payload_bytes(),
            .correctable_bits = correctable_bits_};
  }
  void encode(const std::byte* payload, std::byte* parity) override { codec_->encode(payload, parity); }
  plugin::DecodeOutcome decode(std::byte* payload, std::byte* parity) override {
    const ecc::DecodeOutcome outcome = codec_->decode(payload, parity);
    return {outcome.corrected, outcome.corrected_bits, outcome.iterations};
  }

 private:
  const std::unique_ptr<ecc::Codec> codec_;
  const std::uint32_t correctable_bits_;
};

class BchPlugin final : public plugin::Plugin {
 public:
  plugin::Codec* make_codec(const plugin::CodecRequest& request, std::span<char> why_not) override {
    try {
      const auto t = static_cast<std::uint32_t>(std::strtoul(request.options, nullptr, 10));
      return new Bch(ecc::make_codec({"bch", request.payload_bytes, t, 0}), t);
    } catch (const std::exception& error) {
      std::snprintf(why_not.data(), why_not.size(), "%s", error.what());
      return nullptr;
    }
  }
};

}  // namespace
}  // namespace nandscape

NANDSCAPE_PLUGIN(nandscape::BchPlugin)

// SPDX-License-Identifier: Apache-2.0
// A test plug-in whose codec breaks one rule of the plug-in interface. The option names the rule.
#include <stdexcept>
#include <string_view>

#include "protocol/plugin/plugin.h"

using namespace nandscape::plugin;

namespace {

class Misbehaving final : public Codec, public ContentEngine {
 public:
  Misbehaving(std::uint32_t payload_bytes, std::string_view how) : payload_bytes_(payload_bytes), how_(how) {}

  CodecFacts facts() const override {
    CodecFacts facts{.name = "misbehaving", .payload_bytes = payload_bytes_, .parity_bits = 8};
    if (how_ == "other payload") facts.payload_bytes /= 2;
    if (how_ == "no parity") facts.parity_bits = 0;
    if (how_ == "too many errors") facts.correctable_bits = 8 * payload_bytes_ + 8;
    return facts;
  }
  void encode(const std::byte*, std::byte*) override {
    if (how_ == "throw in encode") throw std::runtime_error("no paper left");
  }
  DecodeOutcome decode(std::byte*, std::byte*) override {
    if (how_ == "throw a number in decode") throw 7;
    if (how_ == "correct too much") return {.corrected = 1, .corrected_bits = 8 * payload_bytes_ + 9};
    return {.corrected = 1};
  }

  StateCounts count(std::span<const std::byte>, std::span<const std::byte>) override { return {}; }
  std::uint32_t step(PairedPage, const StateCounts&) override {
    if (how_ == "throw in step") throw std::runtime_error("no stairs");
    return 1000;
  }

 private:
  const std::uint32_t payload_bytes_;
  const std::string_view how_;
};

// Returns a string literal that is equal to `how`, or an empty string if there is none. A literal is needed because it
// outlives the request.
std::string_view literal(std::string_view how) {
  for (const std::string_view known : {"other payload", "no parity", "too many errors", "throw in encode",
                                       "throw a number in decode", "correct too much", "throw in step"}) {
    if (known == how) return known;
  }
  return "";
}

class MisbehavingPlugin final : public Plugin {
 public:
  Codec* make_codec(const CodecRequest& request, std::span<char>) override {
    if (std::string_view(request.options) == "throw when it is made") throw std::runtime_error("not today");
    return new Misbehaving(request.payload_bytes, literal(request.options));
  }
  ContentEngine* make_content_engine(const ContentRequest& request, std::span<char>) override {
    return new Misbehaving(0, literal(request.options));
  }
};

}  // namespace

NANDSCAPE_PLUGIN(MisbehavingPlugin)

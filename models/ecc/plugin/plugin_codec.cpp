// SPDX-License-Identifier: Apache-2.0
#include "ecc/plugin/plugin_codec.h"

#include <stdexcept>
#include <string>

#include "core/message_text.h"
#include "ecc/codes/hard_decisions.h"

namespace nandscape::ecc {

namespace {

constexpr std::uint32_t most_parity_bits = 8 * 65536;
constexpr std::size_t longest_name = 80;

plugin::CodecFacts facts_of(const PluginLibrary& library, const plugin::Codec& codec, const Code& code) {
  plugin::CodecFacts facts;
  try {
    facts = library.call("facts", [&] { return codec.facts(); });
  } catch (const InputError& error) {
    throw std::invalid_argument(error.what());
  }
  const std::string name = facts.name == nullptr ? "" : printable(facts.name, longest_name);
  const auto refuse = [&](const std::string& what) {
    throw std::invalid_argument("the codec " + name + " of the plug-in '" + printable(code.plugin, 500) + "' " + what);
  };
  if (facts.payload_bytes != code.payload_bytes) {
    refuse("has codewords of " + std::to_string(facts.payload_bytes) + " bytes of payload, but was asked for " +
           std::to_string(code.payload_bytes));
  }
  if (facts.parity_bits == 0 || facts.parity_bits > most_parity_bits) {
    refuse("has " + std::to_string(facts.parity_bits) + " bits of parity in a codeword; a code has 1 to " +
           std::to_string(most_parity_bits));
  }
  if (facts.correctable_bits >= 8 * facts.payload_bytes + facts.parity_bits) {
    refuse("says that it corrects " + std::to_string(facts.correctable_bits) +
           " errors, which is at least as many as a codeword has bits");
  }
  return facts;
}

}  // namespace

PluginCodec::PluginCodec(const Code& code)
    : library_(PluginLibrary::open(code.plugin)),
      codec_(library_->make_codec({code.payload_bytes, code.plugin_options.c_str()})),
      facts_(facts_of(*library_, *codec_, code)) {}

DecodeOutcome PluginCodec::checked(const plugin::DecodeOutcome& outcome) const {
  if (outcome.corrected_bits > codeword_bits()) {
    library_->refuse_answer("says that it has corrected " + std::to_string(outcome.corrected_bits) +
                            " bits of a codeword of " + std::to_string(codeword_bits()));
  }
  if (outcome.corrected == 0) return {false, 0, outcome.iterations};
  return {true, outcome.corrected_bits, outcome.iterations};
}

void PluginCodec::encode(const std::byte* payload, std::byte* parity) {
  library_->call("encode", [&] { codec_->encode(payload, parity); });
}

DecodeOutcome PluginCodec::decode(std::byte* payload, std::byte* parity) {
  return checked(library_->call("decode", [&] { return codec_->decode(payload, parity); }));
}

DecodeOutcome PluginCodec::decode_soft(std::span<const std::int8_t> llr, std::byte* payload, std::byte* parity) {
  if (facts_.takes_soft_reads != 0) {
    return checked(library_->call("decode_soft", [&] { return codec_->decode_soft(llr, payload, parity); }));
  }
  const std::size_t payload_bits = 8 * static_cast<std::size_t>(payload_bytes());
  decide_by_signs(llr.first(payload_bits), payload);
  decide_by_signs(llr.subspan(payload_bits), parity);
  return decode(payload, parity);
}

}  // namespace nandscape::ecc

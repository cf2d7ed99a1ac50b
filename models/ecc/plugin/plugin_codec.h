// SPDX-License-Identifier: Apache-2.0
// A codec that is implemented by a plug-in (see protocol/plugin/plugin.h).
#pragma once

#include <memory>

#include "ecc/codes/code.h"
#include "ecc/codes/codec.h"
#include "protocol/plugin/plugin_library.h"

namespace nandscape::ecc {

class PluginCodec final : public Codec {
 public:
  // Throws std::invalid_argument if the plug-in has no such codec, or if the properties that the codec reports are
  // invalid.
  explicit PluginCodec(const Code& code);

  const plugin::CodecFacts& facts() const { return facts_; }

  std::uint32_t payload_bytes() const override { return facts_.payload_bytes; }
  std::uint32_t parity_bytes() const override { return (facts_.parity_bits + 7) / 8; }
  std::uint32_t codeword_bits() const override { return 8 * facts_.payload_bytes + facts_.parity_bits; }

  // These functions throw InputError if the plug-in throws an exception, or if it reports more corrected bits than a
  // codeword has.
  void encode(const std::byte* payload, std::byte* parity) override;
  DecodeOutcome decode(std::byte* payload, std::byte* parity) override;
  // If the plug-in's codec does not support soft reads, this function passes only the hard decisions to the codec.
  DecodeOutcome decode_soft(std::span<const std::int8_t> llr, std::byte* payload, std::byte* parity) override;

 private:
  DecodeOutcome checked(const plugin::DecodeOutcome& outcome) const;

  const std::shared_ptr<const PluginLibrary> library_;  // must outlive the codec, whose code is in the library
  const std::unique_ptr<plugin::Codec> codec_;
  const plugin::CodecFacts facts_;
};

}  // namespace nandscape::ecc

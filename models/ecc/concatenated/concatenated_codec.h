// SPDX-License-Identifier: Apache-2.0
// A BCH code inside an LDPC code. The BCH codeword, padded to whole bytes, is the payload of the LDPC code. The parity
// consists of the parity of the BCH code followed by that of the LDPC code. When minimum-sum decoding gets stuck, it
// usually leaves only a few errors, which the BCH code corrects.
#pragma once

#include <cstdint>
#include <vector>

#include "ecc/bch/bch_codec.h"
#include "ecc/codes/codec.h"
#include "ecc/ldpc/ldpc_codec.h"

namespace nandscape::ecc {

class ConcatenatedCodec final : public Codec {
 public:
  // Throws std::invalid_argument if the BCH code or the LDPC code does not exist.
  explicit ConcatenatedCodec(const Code& code);

  std::uint32_t payload_bytes() const override { return bch_.payload_bytes(); }
  std::uint32_t parity_bytes() const override { return bch_.parity_bytes() + ldpc_.parity_bytes(); }
  // The count includes the padding bits of the BCH code's last parity byte, because they are in the middle of the LDPC
  // codeword.
  std::uint32_t codeword_bits() const override { return ldpc_.codeword_bits(); }

  void encode(const std::byte* payload, std::byte* parity) override;
  DecodeOutcome decode(std::byte* payload, std::byte* parity) override;
  DecodeOutcome decode_soft(std::span<const std::int8_t> llr, std::byte* payload, std::byte* parity) override;

 private:
  std::byte* ldpc_parity() { return word_.data() + ldpc_.payload_bytes(); }
  void encode_word();  // encodes the payload in word_
  DecodeOutcome finish(const DecodeOutcome& of_ldpc, std::byte* payload, std::byte* parity);

  BchCodec bch_;
  LdpcCodec ldpc_;
  std::vector<std::byte> word_;  // payload, parity of the BCH code, parity of the LDPC code
};

}  // namespace nandscape::ecc

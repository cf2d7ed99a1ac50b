// SPDX-License-Identifier: Apache-2.0
#include "ecc/concatenated/concatenated_codec.h"

#include <algorithm>
#include <bit>

#include "ecc/codes/hard_decisions.h"

namespace nandscape::ecc {

namespace {

std::uint32_t differing_bits(const std::byte* a, const std::byte* b, std::size_t bytes) {
  std::uint32_t bits = 0;
  for (std::size_t i = 0; i < bytes; ++i) {
    bits += static_cast<std::uint32_t>(std::popcount(std::to_integer<unsigned char>(a[i] ^ b[i])));
  }
  return bits;
}

}  // namespace

ConcatenatedCodec::ConcatenatedCodec(const Code& code)
    : bch_(BchCode::get(code.payload_bytes, code.correctable_bits)),
      ldpc_(LdpcCode::of(code.payload_bytes + bch_.parity_bytes(), code.ldpc_parity_bytes)),
      word_(payload_bytes() + parity_bytes()) {}

void ConcatenatedCodec::encode_word() {
  bch_.encode(word_.data(), word_.data() + payload_bytes());
  ldpc_.encode(word_.data(), ldpc_parity());
}

void ConcatenatedCodec::encode(const std::byte* payload, std::byte* parity) {
  std::copy_n(payload, payload_bytes(), word_.data());
  encode_word();
  std::copy_n(word_.data() + payload_bytes(), parity_bytes(), parity);
}

DecodeOutcome ConcatenatedCodec::decode(std::byte* payload, std::byte* parity) {
  std::copy_n(payload, payload_bytes(), word_.data());
  std::copy_n(parity, parity_bytes(), word_.data() + payload_bytes());
  return finish(ldpc_.decide(word_.data(), ldpc_parity()), payload, parity);
}

DecodeOutcome ConcatenatedCodec::decode_soft(std::span<const std::int8_t> llr, std::byte* payload, std::byte* parity) {
  const std::size_t payload_bits = std::size_t{8} * payload_bytes();
  decide_by_signs(llr.first(payload_bits), payload);
  decide_by_signs(llr.subspan(payload_bits), parity);
  return finish(ldpc_.decide_soft(llr, word_.data(), ldpc_parity()), payload, parity);
}

// Decodes the BCH code after the LDPC code. word_ must contain the decision of the LDPC decoder, and `payload` and
// `parity` the codeword as read.
DecodeOutcome ConcatenatedCodec::finish(const DecodeOutcome& of_ldpc, std::byte* payload, std::byte* parity) {
  std::byte* const bch_parity = word_.data() + payload_bytes();
  DecodeOutcome outcome = bch_.decode(word_.data(), bch_parity);
  outcome.iterations = of_ldpc.iterations;
  if (!outcome.corrected) return outcome;
  // The payload is correct now, so encoding it yields the parity that was written.
  if (!of_ldpc.corrected || outcome.corrected_bits > 0) encode_word();
  outcome.corrected_bits =
      differing_bits(payload, word_.data(), payload_bytes()) + differing_bits(parity, bch_parity, parity_bytes());
  std::copy_n(word_.data(), payload_bytes(), payload);
  std::copy_n(bch_parity, parity_bytes(), parity);
  return outcome;
}

}  // namespace nandscape::ecc

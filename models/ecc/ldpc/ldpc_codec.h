// SPDX-License-Identifier: Apache-2.0
// Layered normalised minimum-sum decoding in bytes.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "ecc/codes/codec.h"
#include "ecc/ldpc/decoder_kernels.h"
#include "ecc/ldpc/ldpc_code.h"

namespace nandscape {

class LdpcCodec final : public Codec {
 public:
  explicit LdpcCodec(const LdpcCode& code, const ldpc::DecoderKernels& kernels = ldpc::dispatched_kernels);

  std::uint32_t payload_bytes() const override { return code_.payload_bytes(); }
  std::uint32_t parity_bytes() const override { return code_.parity_bytes(); }
  std::uint32_t codeword_bits() const override { return code_.codeword_bits(); }

  void encode(const std::byte* payload, std::byte* parity) override;
  DecodeOutcome decode(std::byte* payload, std::byte* parity) override;
  DecodeOutcome decode_soft(std::span<const std::int8_t> llr, std::byte* payload, std::byte* parity) override;

  // The same, but when they fail they write what they decide for in the end, where few errors are left as a rule.
  DecodeOutcome decide(std::byte* payload, std::byte* parity);
  DecodeOutcome decide_soft(std::span<const std::int8_t> llr, std::byte* payload, std::byte* parity);

 private:
  struct alignas(64) CacheLine {
    std::int8_t bytes[64];
  };

  std::int8_t* beliefs_of(std::uint32_t column);
  void read(const std::byte* payload, const std::byte* parity);
  void write(const std::vector<std::uint64_t>& codeword, std::byte* payload, std::byte* parity) const;
  void believe_bits();
  void believe(std::span<const std::int8_t> llr);
  void repeat_first_beliefs();
  void decide_by_beliefs(std::vector<std::uint64_t>& codeword);
  ldpc::Layer layer(std::uint32_t row);
  bool beliefs_hold();
  DecodeOutcome iterate();
  // Of bits behind the payload, which the decoder knows, and yet could decide otherwise.
  bool padding_is_zero() const;

  const LdpcCode& code_;
  ldpc::DecoderKernels kernels_;
  std::size_t stride_;                   // of a column of beliefs
  std::vector<std::uint64_t> codeword_;  // as read
  std::vector<std::uint64_t> decided_;
  std::vector<CacheLine> beliefs_;
  std::vector<CacheLine> messages_;
  std::vector<std::uint32_t> rotations_;
};

}  // namespace nandscape

// SPDX-License-Identifier: Apache-2.0
// Layered normalised minimum-sum decoding in bytes: at most 25 iterations, since few codewords are corrected after
// more.
//
// RBERs at which one in 100 codewords fails on a SensingChannel, by payload, parity and levels:
//
//                         1        2        3        5        7
//   4096 bytes, 576   9.4e-3   1.67e-2  1.95e-2  2.14e-2  2.21e-2
//   4096 bytes, 512   8.2e-3   1.45e-2  1.74e-2  1.91e-2  1.97e-2
//   4144 bytes, 512   7.9e-3            1.71e-2
//   4096 bytes, 448   6.8e-3   1.25e-2  1.50e-2  1.66e-2  1.71e-2
//   4096 bytes, 256   3.2e-3   6.7e-3   8.3e-3   9.4e-3   9.6e-3
//   2048 bytes, 256   7.7e-3   1.40e-2  1.67e-2  1.84e-2  1.91e-2
//   2048 bytes, 128   3.0e-3   6.2e-3   7.8e-3   8.8e-3   9.2e-3
//
// No error floor was seen where the waterfalls extrapolate to below 1e-6. No codeword sensed once failed among 3
// million at 6.5e-3 for 4096 bytes with parity 512 and at 1.8e-3 for 2048 with 128, among 0.8 million at 2.3e-3 for
// 4096 with 256 and at 5.5e-3 for 2048 with 256, and among 0.5 million at 5.3e-3 for 4096 with 448.
//
// Messages that are not rounded down, or scaled by another factor than 3/4, lower these RBERs by up to a tenth. Priors
// from 13 onward, message limits from 16 onward and more iterations move them by less than a hundredth.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "ecc/codes/codec.h"
#include "ecc/ldpc/decoder_kernels.h"
#include "ecc/ldpc/ldpc_code.h"

namespace nandscape::ecc {

class LdpcCodec final : public Codec {
 public:
  explicit LdpcCodec(const LdpcCode& code, const ldpc::DecoderKernels& kernels = ldpc::dispatched_kernels);

  std::uint32_t payload_bytes() const override { return code_.payload_bytes(); }
  std::uint32_t parity_bytes() const override { return code_.parity_bytes(); }
  std::uint32_t codeword_bits() const override { return code_.codeword_bits(); }

  void encode(const std::byte* payload, std::byte* parity) override;
  DecodeOutcome decode(std::byte* payload, std::byte* parity) override;
  DecodeOutcome decode_soft(std::span<const std::int8_t> llr, std::byte* payload, std::byte* parity) override;

  // Like decode() and decode_soft(), but a failing call writes its last decision, in which usually few errors remain.
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
  // Whether the decoder decided on zeros for all bits after the payload, which are known to be zeros.
  bool padding_is_zero() const;

  const LdpcCode& code_;
  ldpc::DecoderKernels kernels_;
  std::size_t stride_;                   // bytes of a column of beliefs
  std::vector<std::uint64_t> codeword_;  // as read
  std::vector<std::uint64_t> decided_;
  std::vector<CacheLine> beliefs_;
  std::vector<CacheLine> messages_;
  std::vector<std::uint32_t> rotations_;
};

}  // namespace nandscape::ecc

// SPDX-License-Identifier: Apache-2.0
// Decodes LDPC codes with the layered normalised minimum-sum algorithm, in 8-bit arithmetic. The decoder gives up after
// 25 iterations, because additional iterations would correct only few codewords.
//
// The table gives the RBER at which one in 100 codewords fails on a SensingChannel. The rows are payload and parity in
// bytes, and the columns are the number of sensing levels:
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
// No error floor was observed at RBERs where the extrapolated waterfall is below 1e-6. With a single sensing level,
// none of 3 million codewords failed at an RBER of 6.5e-3 for a payload of 4096 bytes with 512 bytes of parity, and at
// 1.8e-3 for 2048 bytes with 128. None of 0.8 million failed at 2.3e-3 for 4096 bytes with 256, and at 5.5e-3 for 2048
// bytes with 256. None of 0.5 million failed at 5.3e-3 for 4096 bytes with 448.
//
// If messages are not rounded down, or if they are scaled by a factor other than 3/4, these RBERs decrease by up to 10
// %. Larger priors (from 13 on), larger limits for messages (from 16 on) and more iterations change the RBERs by less
// than 1 %.
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

  // Like decode() and decode_soft(). However, if decoding fails, these functions write the last decision of the
  // decoder, which usually contains only a few errors.
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
  // Returns true if the decoder has decided that all padding bits after the payload are 0. They are known to be 0, so
  // any other decision is wrong.
  bool padding_is_zero() const;

  const LdpcCode& code_;
  ldpc::DecoderKernels kernels_;
  std::size_t stride_;                   // size of a column of beliefs, in bytes
  std::vector<std::uint64_t> codeword_;  // the codeword as read
  std::vector<std::uint64_t> decided_;
  std::vector<CacheLine> beliefs_;
  std::vector<CacheLine> messages_;
  std::vector<std::uint32_t> rotations_;
};

}  // namespace nandscape::ecc

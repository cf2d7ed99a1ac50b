// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>

#include "ecc/bch/bch_code.h"
#include "ecc/bch/kernels.h"
#include "ecc/bch/scratch.h"
#include "ecc/codes/codec.h"

namespace nandscape::ecc {

class BchCodec final : public Codec {
 public:
  explicit BchCodec(std::shared_ptr<const BchCode> code, const BchKernels& kernels = bch_kernels().back());

  std::uint32_t payload_bytes() const override { return code_->payload_bytes(); }
  std::uint32_t parity_bytes() const override { return code_->parity_bytes(); }
  std::uint32_t codeword_bits() const override { return code_->codeword_bits(); }

  void encode(const std::byte* payload, std::byte* parity) override;
  DecodeOutcome decode(std::byte* payload, std::byte* parity) override;
  DecodeOutcome decode_soft(std::span<const std::int8_t> llr, std::byte* payload, std::byte* parity) override;

 private:
  void find_remainder_of_read(const std::byte* payload, const std::byte* parity);
  void find_syndromes();

  std::shared_ptr<const BchCode> code_;
  const BchKernels& kernels_;
  BchScratch scratch_;
};

}  // namespace nandscape::ecc

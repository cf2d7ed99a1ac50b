// SPDX-License-Identifier: Apache-2.0
// `ecc.decoder: bit_true`: the bytes of the page are encoded and decoded by the real codec.
//
// Of soft reads it is told how many senses have found each bit to be 1. The log-likelihood ratio that stands for such a
// number is that of the SensingChannel of the codeword's RBER, with which code tables are measured, too.
#pragma once

#include <memory>
#include <vector>

#include "ecc/codes/codec.h"
#include "ecc/page_coders/page_coder.h"
#include "protocol/page_layout.h"

namespace nandscape::ecc {

class BitTrueCoder final : public PageCoder {
 public:
  struct PlacedCodec {
    std::unique_ptr<Codec> codec;
    PageLayout layout;
    // Errors are counted in other bits, too, that the layout gives to its codewords.
    bool counted_with_others = false;
  };

  // By number of the code.
  explicit BitTrueCoder(std::vector<PlacedCodec> codecs);
  BitTrueCoder(std::unique_ptr<Codec> codec, const PageLayout& layout);

  void encode(EccJob& job) override;
  // A page with one codeword that fails is uncorrectable as a whole; its other codewords are corrected all the same.
  // A job of a soft read has to say what its senses have found, and how many errors each codeword has.
  Decoded decode(EccJob& job) override;

 private:
  DecodeOutcome decode_soft(const EccJob& job, const PlacedCodec& by, std::uint32_t codeword, std::uint32_t errors);

  const std::vector<PlacedCodec> codecs_;
  std::vector<double> iterations_;
  std::vector<std::int8_t> llr_;  // of the bits of a codeword, at soft reads
};

}  // namespace nandscape::ecc

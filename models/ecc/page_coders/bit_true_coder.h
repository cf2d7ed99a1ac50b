// SPDX-License-Identifier: Apache-2.0
// `ecc.decoder: bit_true`: the bytes of the page are encoded and decoded by the real codec. A CRC beside each codeword
// tells most of those that the codec has corrected to others than were written; they count as failed.
//
// Of soft reads it is told how many senses have found each bit to be 1. The log-likelihood ratio that stands for such a
// number is that of the SensingChannel of the codeword's RBER, with which code tables are measured, too.
#pragma once

#include <memory>
#include <vector>

#include "ecc/codes/codec.h"
#include "ecc/codes/payload_crc.h"
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

  // By number of the code. The layouts have room for the CRC, of 0 bits where there is none.
  explicit BitTrueCoder(std::vector<PlacedCodec> codecs, std::uint32_t crc_bits = 0);
  BitTrueCoder(std::unique_ptr<Codec> codec, const PageLayout& layout, std::uint32_t crc_bits = 0);

  void encode(EccJob& job) override;
  // A page with one codeword that fails is uncorrectable as a whole; its other codewords are corrected all the same.
  // A job of a soft read has to say what its senses have found, and how many errors each codeword has.
  Decoded decode(EccJob& job) override;

 private:
  DecodeOutcome decode_soft(const EccJob& job, const PlacedCodec& by, std::uint32_t codeword, std::uint32_t errors);

  // The decoder has flipped another number of bits than were misread, as far as that is known.
  static bool is_wrong(const DecodeOutcome& outcome, const PlacedCodec& by, std::uint32_t errors);

  const std::vector<PlacedCodec> codecs_;
  const PayloadCrc crc_;
  const double missed_by_crc_;  // of miscorrected codewords
  std::vector<double> iterations_;
  std::vector<std::int8_t> llr_;  // of the bits of a codeword, at soft reads
};

}  // namespace nandscape::ecc

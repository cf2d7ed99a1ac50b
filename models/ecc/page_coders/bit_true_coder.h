// SPDX-License-Identifier: Apache-2.0
// `ecc.decoder: bit_true`: the real codec encodes and decodes the bytes of the page. A CRC beside each codeword detects
// most codewords that the codec corrects to wrong data; they count as failed.
//
// For soft reads the job says how many senses read each bit as 1. Each number has the log-likelihood ratio that the
// SensingChannel gives it at the codeword's RBER. Code tables are measured with the same channel.
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
    // Errors are also counted in bits that the layout does not give to this code's codewords.
    bool counted_with_others = false;
  };

  // `codecs` has one entry for each code, by number. The layouts must have room for the CRC; `crc_bits` 0: no CRC.
  explicit BitTrueCoder(std::vector<PlacedCodec> codecs, std::uint32_t crc_bits = 0);
  BitTrueCoder(std::unique_ptr<Codec> codec, const PageLayout& layout, std::uint32_t crc_bits = 0);

  void encode(EccJob& job) override;
  // A page with a failing codeword is uncorrectable as a whole, but its other codewords are corrected. The job of a
  // soft read must give sensed_ones and codeword_errors.
  Decoded decode(EccJob& job) override;

 private:
  DecodeOutcome decode_soft(const EccJob& job, const PlacedCodec& by, std::uint32_t codeword, std::uint32_t errors);

  // Whether the decoder has flipped a different number of bits than were misread, as far as that number is known.
  static bool is_wrong(const DecodeOutcome& outcome, const PlacedCodec& by, std::uint32_t errors);

  const std::vector<PlacedCodec> codecs_;
  const PayloadCrc crc_;
  const double missed_by_crc_;  // share of miscorrected codewords
  std::vector<double> iterations_;
  std::vector<std::int8_t> llr_;  // LLRs of a codeword's bits; soft reads only
};

}  // namespace nandscape::ecc

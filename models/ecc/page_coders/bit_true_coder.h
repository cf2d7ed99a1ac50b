// SPDX-License-Identifier: Apache-2.0
// The decoder `ecc.decoder: bit_true`: the real codec encodes and decodes the bytes of each page. A CRC that is stored
// with each codeword detects most codewords that the codec corrects to wrong data. Such codewords count as failed.
//
// For soft reads, the job states for each bit how many senses read it as 1. This number is converted to the
// log-likelihood ratio that SensingChannel computes for the codeword's RBER. Code tables are measured with the same
// channel.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "core/work_team.h"
#include "ecc/codes/codec.h"
#include "ecc/codes/payload_crc.h"
#include "ecc/page_coders/decoder_model.h"
#include "ecc/page_coders/page_coder.h"
#include "protocol/page_layout.h"

namespace nandscape::ecc {

class BitTrueCoder final : public PageCoder {
 public:
  // `codes` is indexed by code number. If `crc_bits` is 0, there is no CRC. Otherwise the layouts must have room for
  // it. The workers of `team` encode and decode the codewords of a page.
  BitTrueCoder(std::span<const CoderCode> codes, std::uint32_t crc_bits, std::shared_ptr<WorkTeam> team);
  // A coder for one code.
  BitTrueCoder(const Code& code, const PageLayout& layout, std::uint32_t crc_bits = 0,
               std::shared_ptr<WorkTeam> team = std::make_shared<WorkTeam>());

  void encode(EccJob& job) override;
  // Decodes the codewords of the job. If one of them fails, the page as a whole is uncorrectable, but the other
  // codewords are corrected all the same, unless decoding stops at a failure. The job of a soft read must contain
  // sensed_ones and codeword_errors.
  Decoded decode(EccJob& job) override;

 private:
  struct PlacedCode {
    std::vector<std::unique_ptr<Codec>> codecs;  // by worker
    PageLayout layout;
    // If true, the number of errors of a codeword also includes errors in bits that do not belong to this code's
    // codewords, so it is only an upper limit for the number of bits to correct.
    bool counted_with_others = false;
  };
  struct DecodedCodeword {
    DecodeOutcome outcome;
    bool miscorrected = false;
    bool crc_detected = false;  // miscorrected, and the CRC shows it
  };

  // Decodes the codeword number `k` of the job.
  DecodedCodeword decode(const EccJob& job, std::size_t k, std::size_t worker);
  DecodeOutcome decode_soft(const EccJob& job, std::uint32_t codeword, std::uint32_t errors, std::size_t worker);

  // Returns true if the number of bits that the decoder has flipped shows that its result is wrong. The number must
  // equal `errors`, or must not exceed `errors` if this is only an upper limit (see counted_with_others).
  static bool is_wrong(const DecodeOutcome& outcome, const PlacedCode& by, std::uint32_t errors);

  const std::shared_ptr<WorkTeam> team_;
  std::vector<PlacedCode> codes_;
  const PayloadCrc crc_;
  const double missed_by_crc_;  // share of miscorrected codewords that the CRC does not detect
  std::vector<DecodedCodeword> codewords_;
  std::vector<double> iterations_;
  std::vector<std::vector<std::int8_t>> llr_;  // LLRs of a codeword's bits, by worker; used for soft reads only
};

}  // namespace nandscape::ecc

// SPDX-License-Identifier: Apache-2.0
// The decoder `ecc.decoder: threshold`: corrects a codeword if it has at most `correctable_bits` misread bits. The data
// themselves are not used. Soft reads do not improve the result, because the single number does not describe how much a
// decoder gains from additional levels.
//
// The model detects every codeword that fails. In addition, it counts the expected number of escapes: failing codewords
// that a BCH code with the same number of correctable errors would miscorrect and that the CRC would not detect (see
// miscorrection.h). Only the worst codeword of a job counts, because wrong data are accepted only if all failing
// codewords of the job escape.
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "ecc/page_coders/page_coder.h"

namespace nandscape::ecc {

class ThresholdCoder final : public PageCoder {
 public:
  // `correctable_bits` contains one number for each code, indexed by code number.
  explicit ThresholdCoder(std::vector<std::uint32_t> correctable_bits, std::uint32_t crc_bits = 0);
  explicit ThresholdCoder(std::uint32_t correctable_bits) : ThresholdCoder(std::vector{correctable_bits}) {}

  void encode(EccJob&) override {}
  Decoded decode(EccJob& job) override {
    job.uncorrectable = job.worst_codeword_errors > correctable_bits_[job.code];
    job.corrected_bits = job.uncorrectable ? 0 : job.raw_bit_errors;
    Decoded decoded;
    if (job.uncorrectable) {
      decoded.expected_escapes = expected_escapes_[job.code];
      decoded.codewords = decoded_codewords(job, correctable_bits_[job.code]);
    }
    return decoded;
  }

 private:
  const std::vector<std::uint32_t> correctable_bits_;
  std::vector<double> expected_escapes_;  // expected number of escapes for a failing codeword, by code number
};

}  // namespace nandscape::ecc

// SPDX-License-Identifier: Apache-2.0
// `ecc.decoder: threshold`: a codeword with up to so many misread bits is corrected, one with more is not. Data are not
// looked at. A soft read gains nothing: one number says nothing of what a decoder makes of more levels.
//
// Decodes that fail are known to have failed. How many of them would have been miscorrected, as a BCH code of that
// number does it, and have escaped the CRC, is counted as an expectation (see miscorrection.h). Of a job its worst
// codeword counts: all that fail have to escape for its data to go on as good.
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "ecc/page_coders/page_coder.h"

namespace nandscape::ecc {

class ThresholdCoder final : public PageCoder {
 public:
  // By number of the code.
  explicit ThresholdCoder(std::vector<std::uint32_t> correctable_bits, std::uint32_t crc_bits = 0);
  explicit ThresholdCoder(std::uint32_t correctable_bits) : ThresholdCoder(std::vector{correctable_bits}) {}

  void encode(EccJob&) override {}
  Decoded decode(EccJob& job) override {
    job.uncorrectable = job.worst_codeword_errors > correctable_bits_[job.code];
    job.corrected_bits = job.uncorrectable ? 0 : job.raw_bit_errors;
    Decoded decoded;
    if (job.uncorrectable) decoded.expected_escapes = expected_escapes_[job.code];
    return decoded;
  }

 private:
  const std::vector<std::uint32_t> correctable_bits_;
  std::vector<double> expected_escapes_;  // of a codeword that fails, by number of the code
};

}  // namespace nandscape::ecc

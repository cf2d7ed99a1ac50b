// SPDX-License-Identifier: Apache-2.0
// `ecc.decoder: threshold`: corrects a codeword with up to `correctable_bits` misread bits, and none with more. Data
// are not used. Soft reads gain nothing, since a single number does not tell what a decoder gains from more levels.
//
// Failing decodes are always detected. The coder counts the expected number of them that a BCH code correcting as many
// errors would miscorrect and the CRC would miss (see miscorrection.h). Only the worst codeword of a job counts, since
// the job's data pass as good only if all failing codewords escape.
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "ecc/page_coders/page_coder.h"

namespace nandscape::ecc {

class ThresholdCoder final : public PageCoder {
 public:
  // `correctable_bits`: by number of the code.
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
  std::vector<double> expected_escapes_;  // escapes expected of a failing codeword, by number of the code
};

}  // namespace nandscape::ecc

// SPDX-License-Identifier: Apache-2.0
// `ecc.decoder: threshold`: a codeword with up to so many misread bits is corrected, one with more is not. Data are not
// looked at. A soft read gains nothing: one number says nothing of what a decoder makes of more levels.
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "ecc/page_coders/page_coder.h"

namespace nandscape::ecc {

class ThresholdCoder final : public PageCoder {
 public:
  // By number of the code.
  explicit ThresholdCoder(std::vector<std::uint32_t> correctable_bits)
      : correctable_bits_(std::move(correctable_bits)) {}
  explicit ThresholdCoder(std::uint32_t correctable_bits) : correctable_bits_{correctable_bits} {}

  void encode(EccJob&) override {}
  Decoded decode(EccJob& job) override {
    job.uncorrectable = job.worst_codeword_errors > correctable_bits_[job.code];
    job.corrected_bits = job.uncorrectable ? 0 : job.raw_bit_errors;
    return {};
  }

 private:
  const std::vector<std::uint32_t> correctable_bits_;
};

}  // namespace nandscape::ecc

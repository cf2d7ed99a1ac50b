// SPDX-License-Identifier: Apache-2.0
// The decoder `ecc.decoder: steps`: a read with k sensing levels corrects a codeword if its misread bits do not exceed
// entry k of a list. This decoder is for studies of published results in which the code is not known. The data
// themselves are not used.
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "ecc/page_coders/page_coder.h"

namespace nandscape::ecc {

class StepCoder final : public PageCoder {
 public:
  // The number of correctable bits, indexed by code number and then by sensing levels, beginning with 1. If there are
  // more sensing levels than entries, the last entry is used.
  using Steps = std::vector<std::vector<std::uint32_t>>;
  explicit StepCoder(Steps correctable_bits) : correctable_bits_(std::move(correctable_bits)) {}

  void encode(EccJob&) override {}
  Decoded decode(EccJob& job) override;

 private:
  const Steps correctable_bits_;
};

}  // namespace nandscape::ecc

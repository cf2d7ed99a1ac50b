// SPDX-License-Identifier: Apache-2.0
// `ecc.decoder: steps`: a read of k sensing levels corrects a codeword if its misread bits do not exceed the k-th entry
// of a list. Studies that name no code assume such a decoder. Data are not used.
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "ecc/page_coders/page_coder.h"

namespace nandscape::ecc {

class StepCoder final : public PageCoder {
 public:
  // Correctable bits by number of the code, then by sensing levels from 1 onward. The last entry also holds for more
  // levels.
  using Steps = std::vector<std::vector<std::uint32_t>>;
  explicit StepCoder(Steps correctable_bits) : correctable_bits_(std::move(correctable_bits)) {}

  void encode(EccJob&) override {}
  Decoded decode(EccJob& job) override;

 private:
  const Steps correctable_bits_;
};

}  // namespace nandscape::ecc

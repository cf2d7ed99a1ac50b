// SPDX-License-Identifier: Apache-2.0
// `ecc.decoder: steps`: a codeword is corrected by a read of k sensing levels if it has no more misread bits than the
// k-th of a list allows, as studies assume that name no code. Data are not looked at.
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "ecc/page_coders/page_coder.h"

namespace nandscape::ecc {

class StepCoder final : public PageCoder {
 public:
  // By number of the code, and by sensing levels from one on. The last entry holds for more levels.
  using Steps = std::vector<std::vector<std::uint32_t>>;
  explicit StepCoder(Steps correctable_bits) : correctable_bits_(std::move(correctable_bits)) {}

  void encode(EccJob&) override {}
  Decoded decode(EccJob& job) override;

 private:
  const Steps correctable_bits_;
};

}  // namespace nandscape::ecc

// SPDX-License-Identifier: Apache-2.0
// `ecc.decoder: bit_true`: the bytes of the page are encoded and decoded by the real codec.
#pragma once

#include <memory>
#include <vector>

#include "ecc/codes/codec.h"
#include "ecc/page_coders/page_coder.h"
#include "protocol/page_layout.h"

namespace nandscape {

class BitTrueCoder final : public PageCoder {
 public:
  BitTrueCoder(std::unique_ptr<Codec> codec, const PageLayout& layout);

  void encode(EccJob& job) override;
  // A page with one codeword that fails is uncorrectable as a whole; its other codewords are corrected all the same.
  Decoded decode(EccJob& job) override;

 private:
  const std::unique_ptr<Codec> codec_;
  const PageLayout layout_;
  std::vector<double> iterations_;
};

}  // namespace nandscape

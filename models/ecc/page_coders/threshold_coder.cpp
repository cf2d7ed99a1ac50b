// SPDX-License-Identifier: Apache-2.0
#include "ecc/page_coders/threshold_coder.h"

#include "ecc/page_coders/decoder_model.h"

namespace nandscape::ecc {

namespace {

class ThresholdDecoder final : public DecoderModel {
 public:
  using Parameters = NoParameters;
  explicit ThresholdDecoder(const Parameters&) {}

  bool has_code() const override { return false; }
  std::unique_ptr<PageCoder> make_coder(const PageCoderContext& context) const override {
    std::vector<std::uint32_t> correctable;
    for (const CoderCode& code : context.codes) correctable.push_back(code.correctable_bits);
    return std::make_unique<ThresholdCoder>(std::move(correctable));
  }
};

}  // namespace

void register_threshold(DecoderRegistry& registry) {
  registry.add<ThresholdDecoder>("threshold", "corrects up to correctable_bits errors of a codeword");
}

}  // namespace nandscape::ecc

// SPDX-License-Identifier: Apache-2.0
#include "ecc/page_coders/threshold_coder.h"

#include "ecc/codes/miscorrection.h"
#include "ecc/codes/payload_crc.h"
#include "ecc/page_coders/decoder_model.h"

namespace nandscape::ecc {

namespace {

class ThresholdDecoder final : public DecoderModel {
 public:
  using Parameters = NoParameters;
  explicit ThresholdDecoder(const Parameters&) {}

  bool has_code() const override { return false; }
  bool miscorrects() const override { return true; }
  std::unique_ptr<PageCoder> make_coder(const PageCoderContext& context) const override {
    std::vector<std::uint32_t> correctable;
    for (const CoderCode& code : context.codes) correctable.push_back(code.correctable_bits);
    return std::make_unique<ThresholdCoder>(std::move(correctable), context.crc_bits);
  }
};

}  // namespace

void register_threshold(DecoderRegistry& registry) {
  registry.add<ThresholdDecoder>("threshold", "corrects up to correctable_bits errors of a codeword");
}

ThresholdCoder::ThresholdCoder(std::vector<std::uint32_t> correctable_bits, std::uint32_t crc_bits)
    : correctable_bits_(std::move(correctable_bits)) {
  for (const std::uint32_t bits : correctable_bits_) {
    expected_escapes_.push_back(miscorrected_share(bits) * crc_missed_share(crc_bits));
  }
}

}  // namespace nandscape::ecc

// SPDX-License-Identifier: Apache-2.0
#include "ecc/page_coders/bit_true_coder.h"

#include <algorithm>
#include <stdexcept>
#include <utility>

#include "ecc/codes/sensing_channel.h"
#include "ecc/page_coders/decoder_model.h"

namespace nandscape::ecc {

namespace {

class BitTrueDecoder final : public DecoderModel {
 public:
  using Parameters = NoParameters;
  explicit BitTrueDecoder(const Parameters&) {}

  bool has_bytes() const override { return true; }
  std::unique_ptr<PageCoder> make_coder(const PageCoderContext& context) const override {
    return std::make_unique<BitTrueCoder>(make_codec(context.code), context.layout);
  }
};

}  // namespace

void register_bit_true(DecoderRegistry& registry) {
  registry.add<BitTrueDecoder>("bit_true",
                               "the bytes of the page are encoded and decoded; needs simulation.data: stored");
}

BitTrueCoder::BitTrueCoder(std::unique_ptr<Codec> codec, const PageLayout& layout)
    : codec_(std::move(codec)), layout_(layout), iterations_(layout.codewords()) {}

void BitTrueCoder::encode(EccJob& job) {
  const std::uint32_t first = job.first_byte / layout_.codeword_bytes;
  for (std::uint32_t k = 0; k < job.bytes / layout_.codeword_bytes; ++k) {
    codec_->encode(job.data + layout_.payload_byte(first + k), job.data + layout_.parity_byte(first + k));
  }
}

PageCoder::Decoded BitTrueCoder::decode(EccJob& job) {
  const std::uint32_t first = job.first_byte / layout_.codeword_bytes;
  const std::uint32_t codewords = job.bytes / layout_.codeword_bytes;
  const bool soft = job.sensing_levels > 1;
  if (soft && job.sensed_ones.empty()) throw std::logic_error("a soft read came without what its senses have found");
  job.uncorrectable = false;
  job.corrected_bits = 0;
  Decoded decoded;
  for (std::uint32_t k = 0; k < codewords; ++k) {
    const DecodeOutcome outcome =
        soft ? decode_soft(job, first + k, job.codeword_errors[k])
             : codec_->decode(job.data + layout_.payload_byte(first + k), job.data + layout_.parity_byte(first + k));
    job.uncorrectable |= !outcome.corrected;
    job.corrected_bits += outcome.corrected_bits;
    const bool algebraic_search = outcome.iterations == 0 && (!outcome.corrected || outcome.corrected_bits > 0);
    iterations_[k] = algebraic_search ? 1 : outcome.iterations;
    // Where the number of misread bits is known, a decoder that has flipped another number of them is wrong. Soft
    // decisions, to which it compares what it has decided, are others than those of the sense at the read level.
    if (outcome.corrected && !soft && !job.codeword_errors.empty()) {
      decoded.miscorrected += outcome.corrected_bits != job.codeword_errors[k];
    }
  }
  if (job.uncorrectable) job.corrected_bits = 0;
  decoded.iterations = std::span(iterations_).first(codewords);
  return decoded;
}

DecodeOutcome BitTrueCoder::decode_soft(const EccJob& job, std::uint32_t codeword, std::uint32_t errors) {
  const double rber = std::clamp(errors / static_cast<double>(layout_.codeword_bits), 1.0 / layout_.codeword_bits, 0.4);
  const SensingChannel channel(rber, job.sensing_levels);
  llr_.resize(layout_.codeword_bits);
  for (std::uint32_t bit = 0; bit < layout_.codeword_bits; ++bit) {
    // Regions count from the lowest voltage, where all senses find a 1.
    const std::uint32_t region = job.sensing_levels - job.sensed_ones[layout_.page_bit(codeword, bit)];
    llr_[bit] = channel.regions()[region].llr;
  }
  DecodeOutcome outcome =
      codec_->decode_soft(llr_, job.data + layout_.payload_byte(codeword), job.data + layout_.parity_byte(codeword));
  outcome.corrected_bits = errors;
  return outcome;
}

}  // namespace nandscape::ecc

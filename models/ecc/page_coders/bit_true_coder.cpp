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
  bool miscorrects() const override { return true; }
  std::unique_ptr<PageCoder> make_coder(const PageCoderContext& context) const override {
    std::vector<BitTrueCoder::PlacedCodec> codecs;
    for (const CoderCode& code : context.codes) {
      codecs.push_back({make_codec(code.code), code.layout, context.codes.size() > 1});
    }
    return std::make_unique<BitTrueCoder>(std::move(codecs), context.crc_bits);
  }
};

}  // namespace

void register_bit_true(DecoderRegistry& registry) {
  registry.add<BitTrueDecoder>("bit_true",
                               "a real codec encodes and decodes the bytes of the page; needs simulation.data: stored");
}

BitTrueCoder::BitTrueCoder(std::vector<PlacedCodec> codecs, std::uint32_t crc_bits)
    : codecs_(std::move(codecs)), crc_(crc_bits), missed_by_crc_(crc_.missed_share()) {
  std::uint32_t codewords = 0;
  for (const PlacedCodec& by : codecs_) codewords = std::max(codewords, by.layout.codewords());
  iterations_.resize(codewords);
}

BitTrueCoder::BitTrueCoder(std::unique_ptr<Codec> codec, const PageLayout& layout, std::uint32_t crc_bits)
    : BitTrueCoder(
          [&] {
            std::vector<PlacedCodec> one;
            one.push_back({std::move(codec), layout});
            return one;
          }(),
          crc_bits) {}

// The bytes between the parity of a codeword and its CRC are not used. They are set to zero.
void BitTrueCoder::encode(EccJob& job) {
  const auto& [codec, layout, counted_with_others] = codecs_[job.code];
  const std::uint32_t first = job.first_byte / layout.codeword_bytes;
  for (std::uint32_t k = 0; k < job.bytes / layout.codeword_bytes; ++k) {
    std::byte* const parity = job.data + layout.parity_byte(first + k);
    codec->encode(job.data + layout.payload_byte(first + k), parity);
    std::fill(parity + codec->parity_bytes(), parity + layout.parity_bytes, std::byte{0});
    crc_.write(layout, first + k, job.data);
  }
}

PageCoder::Decoded BitTrueCoder::decode(EccJob& job) {
  const PlacedCodec& by = codecs_[job.code];
  const PageLayout& layout = by.layout;
  const std::uint32_t first = job.first_byte / layout.codeword_bytes;
  const std::uint32_t codewords = job.bytes / layout.codeword_bytes;
  const bool soft = job.sensing_levels > 1;
  if (soft && job.sensed_ones.empty()) throw std::logic_error("the job of a soft read has no sensed_ones");
  job.uncorrectable = false;
  job.corrected_bits = 0;
  Decoded decoded;
  for (std::uint32_t k = 0; k < codewords; ++k) {
    DecodeOutcome outcome =
        soft ? decode_soft(job, by, first + k, job.codeword_errors[k])
             : by.codec->decode(job.data + layout.payload_byte(first + k), job.data + layout.parity_byte(first + k));
    const bool algebraic_search = outcome.iterations == 0 && (!outcome.corrected || outcome.corrected_bits > 0);
    iterations_[k] = algebraic_search ? 1 : outcome.iterations;
    if (outcome.corrected) {
      const bool detected = !crc_.fits(layout, first + k, job.data);
      // After a soft read, corrected_bits is the number of misread bits and not the number that the decoder flipped. A
      // comparison of the two therefore cannot reveal a miscorrection.
      const bool known_wrong = !soft && !job.codeword_errors.empty() && is_wrong(outcome, by, job.codeword_errors[k]);
      decoded.miscorrected += detected || known_wrong;
      decoded.crc_detected += detected;
      if (detected || known_wrong) decoded.expected_escapes += missed_by_crc_;
      outcome.corrected = !detected;
    }
    job.uncorrectable |= !outcome.corrected;
    job.corrected_bits += outcome.corrected_bits;
  }
  if (job.uncorrectable) job.corrected_bits = 0;
  decoded.iterations = std::span(iterations_).first(codewords);
  return decoded;
}

bool BitTrueCoder::is_wrong(const DecodeOutcome& outcome, const PlacedCodec& by, std::uint32_t errors) {
  return by.counted_with_others ? outcome.corrected_bits > errors : outcome.corrected_bits != errors;
}

DecodeOutcome BitTrueCoder::decode_soft(const EccJob& job, const PlacedCodec& by, std::uint32_t codeword,
                                        std::uint32_t errors) {
  const PageLayout& layout = by.layout;
  const double rber = std::clamp(errors / static_cast<double>(layout.codeword_bits), 1.0 / layout.codeword_bits, 0.4);
  const SensingChannel channel(rber, job.sensing_levels);
  llr_.resize(layout.codeword_bits);
  for (std::uint32_t bit = 0; bit < layout.codeword_bits; ++bit) {
    // Regions are numbered from the lowest voltage, where every sense reads a 1. The region's number is therefore the
    // number of senses that read a 0.
    const std::uint32_t region = job.sensing_levels - job.sensed_ones[layout.page_bit(codeword, bit)];
    llr_[bit] = channel.regions()[region].llr;
  }
  DecodeOutcome outcome =
      by.codec->decode_soft(llr_, job.data + layout.payload_byte(codeword), job.data + layout.parity_byte(codeword));
  outcome.corrected_bits = errors;
  return outcome;
}

}  // namespace nandscape::ecc

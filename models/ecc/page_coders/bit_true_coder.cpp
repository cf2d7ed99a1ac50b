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
  bool uses_threads() const override { return true; }
  std::unique_ptr<PageCoder> make_coder(const PageCoderContext& context) const override {
    return std::make_unique<BitTrueCoder>(context.codes, context.crc_bits, context.team);
  }
};

}  // namespace

void register_bit_true(DecoderRegistry& registry) {
  registry.add<BitTrueDecoder>("bit_true",
                               "a real codec encodes and decodes the bytes of the page; needs simulation.data: stored");
}

BitTrueCoder::BitTrueCoder(std::span<const CoderCode> codes, std::uint32_t crc_bits, std::shared_ptr<WorkTeam> team)
    : team_(std::move(team)), crc_(crc_bits), missed_by_crc_(crc_.missed_share()), llr_(team_->workers()) {
  std::size_t most_codewords = 0;
  for (const CoderCode& code : codes) {
    PlacedCode& placed = codes_.emplace_back(PlacedCode{{}, code.layout, codes.size() > 1});
    const std::size_t codewords = std::max<std::size_t>(code.layout.codewords(), 1);
    for (std::size_t worker = 0; worker < std::min(codewords, team_->workers()); ++worker) {
      placed.codecs.push_back(make_codec(code.code));
    }
    most_codewords = std::max(most_codewords, codewords);
  }
  codewords_.resize(most_codewords);
  iterations_.resize(most_codewords);
}

BitTrueCoder::BitTrueCoder(const Code& code, const PageLayout& layout, std::uint32_t crc_bits,
                           std::shared_ptr<WorkTeam> team)
    : BitTrueCoder(std::vector<CoderCode>{{.code = code, .layout = layout}}, crc_bits, std::move(team)) {}

// The bytes between the parity of a codeword and its CRC are not used. They are set to zero.
void BitTrueCoder::encode(EccJob& job) {
  const PlacedCode& by = codes_[job.code];
  const PageLayout& layout = by.layout;
  const std::uint32_t first = job.first_byte / layout.codeword_bytes;
  team_->for_each(job.bytes / layout.codeword_bytes, [&](std::size_t k, std::size_t worker) {
    const auto codeword = static_cast<std::uint32_t>(first + k);
    Codec& codec = *by.codecs[worker];
    std::byte* const parity = job.data + layout.parity_byte(codeword);
    codec.encode(job.data + layout.payload_byte(codeword), parity);
    std::fill(parity + codec.parity_bytes(), parity + layout.parity_bytes, std::byte{0});
    crc_.write(layout, codeword, job.data);
  });
}

PageCoder::Decoded BitTrueCoder::decode(EccJob& job) {
  const std::size_t codewords = job.bytes / codes_[job.code].layout.codeword_bytes;
  if (job.sensing_levels > 1 && job.sensed_ones.empty()) {
    throw std::logic_error("the job of a soft read has no sensed_ones");
  }
  // If decoding stops at a failure, the codewords are decoded one after the other.
  const bool stops = stops_at_failure();
  if (!stops) {
    team_->for_each(codewords, [&](std::size_t k, std::size_t worker) { codewords_[k] = decode(job, k, worker); });
  }
  job.uncorrectable = false;
  job.corrected_bits = 0;
  Decoded decoded;
  std::uint32_t k = 0;
  while (k < codewords && !(job.uncorrectable && stops)) {
    if (stops) codewords_[k] = decode(job, k, 0);
    const auto& [outcome, miscorrected, crc_detected] = codewords_[k];
    const bool algebraic_search = outcome.iterations == 0 && (!outcome.corrected || outcome.corrected_bits > 0);
    iterations_[k] = algebraic_search ? 1 : outcome.iterations;
    decoded.miscorrected += miscorrected;
    decoded.crc_detected += crc_detected;
    if (miscorrected) decoded.expected_escapes += missed_by_crc_;
    job.uncorrectable |= !outcome.corrected || crc_detected;
    job.corrected_bits += outcome.corrected_bits;
    ++k;
  }
  if (job.uncorrectable) job.corrected_bits = 0;
  decoded.iterations = std::span(iterations_).first(k);
  if (k < codewords) decoded.codewords = k;
  return decoded;
}

BitTrueCoder::DecodedCodeword BitTrueCoder::decode(const EccJob& job, std::size_t k, std::size_t worker) {
  const PlacedCode& by = codes_[job.code];
  const PageLayout& layout = by.layout;
  const auto codeword = static_cast<std::uint32_t>(job.first_byte / layout.codeword_bytes + k);
  const bool soft = job.sensing_levels > 1;
  DecodedCodeword decoded;
  decoded.outcome = soft ? decode_soft(job, codeword, job.codeword_errors[k], worker)
                         : by.codecs[worker]->decode(job.data + layout.payload_byte(codeword),
                                                     job.data + layout.parity_byte(codeword));
  if (!decoded.outcome.corrected) return decoded;
  decoded.crc_detected = !crc_.fits(layout, codeword, job.data);
  // After a soft read, corrected_bits is the number of misread bits and not the number that the decoder flipped. A
  // comparison of the two therefore cannot reveal a miscorrection.
  const bool known_wrong =
      !soft && !job.codeword_errors.empty() && is_wrong(decoded.outcome, by, job.codeword_errors[k]);
  decoded.miscorrected = decoded.crc_detected || known_wrong;
  return decoded;
}

bool BitTrueCoder::is_wrong(const DecodeOutcome& outcome, const PlacedCode& by, std::uint32_t errors) {
  return by.counted_with_others ? outcome.corrected_bits > errors : outcome.corrected_bits != errors;
}

DecodeOutcome BitTrueCoder::decode_soft(const EccJob& job, std::uint32_t codeword, std::uint32_t errors,
                                        std::size_t worker) {
  const PlacedCode& by = codes_[job.code];
  const PageLayout& layout = by.layout;
  const double rber = std::clamp(errors / static_cast<double>(layout.codeword_bits), 1.0 / layout.codeword_bits, 0.4);
  const SensingChannel channel(rber, job.sensing_levels);
  std::vector<std::int8_t>& llr = llr_[worker];
  llr.resize(layout.codeword_bits);
  for (std::uint32_t bit = 0; bit < layout.codeword_bits; ++bit) {
    // Regions are numbered from the lowest voltage, where every sense reads a 1. The region's number is therefore the
    // number of senses that read a 0.
    const std::uint32_t region = job.sensing_levels - job.sensed_ones[layout.page_bit(codeword, bit)];
    llr[bit] = channel.regions()[region].llr;
  }
  DecodeOutcome outcome = by.codecs[worker]->decode_soft(llr, job.data + layout.payload_byte(codeword),
                                                         job.data + layout.parity_byte(codeword));
  outcome.corrected_bits = errors;
  return outcome;
}

}  // namespace nandscape::ecc

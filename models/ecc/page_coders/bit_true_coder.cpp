// SPDX-License-Identifier: Apache-2.0
#include "ecc/page_coders/bit_true_coder.h"

#include <utility>

namespace nandscape {

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
  job.uncorrectable = false;
  job.corrected_bits = 0;
  Decoded decoded;
  for (std::uint32_t k = 0; k < codewords; ++k) {
    const DecodeOutcome outcome =
        codec_->decode(job.data + layout_.payload_byte(first + k), job.data + layout_.parity_byte(first + k));
    job.uncorrectable |= !outcome.corrected;
    job.corrected_bits += outcome.corrected_bits;
    const bool algebraic_search = outcome.iterations == 0 && (!outcome.corrected || outcome.corrected_bits > 0);
    iterations_[k] = algebraic_search ? 1 : outcome.iterations;
    // Where the number of misread bits is known, a decoder that has flipped another number of them is wrong.
    if (outcome.corrected && !job.codeword_errors.empty()) {
      decoded.miscorrected += outcome.corrected_bits != job.codeword_errors[k];
    }
  }
  if (job.uncorrectable) job.corrected_bits = 0;
  decoded.iterations = std::span(iterations_).first(codewords);
  return decoded;
}

}  // namespace nandscape

// SPDX-License-Identifier: Apache-2.0
#include "rtl/stream/codeword_frames.h"

#include <algorithm>
#include <cstring>

namespace nandscape::rtl {

CodewordFrames::CodewordFrames(const PageLayout& layout, std::uint32_t parity_bytes, std::uint32_t crc_bits)
    : layout_(layout), parity_bytes_(parity_bytes), crc_(crc_bits) {}

void CodewordFrames::make_frames(std::size_t count, std::size_t bytes_in, std::size_t bytes_out) {
  in_.resize(count * bytes_in);
  out_.resize(count * bytes_out);
  frames_.clear();
  for (std::size_t k = 0; k < count; ++k) {
    frames_.push_back({.in = std::span(in_).subspan(k * bytes_in, bytes_in),
                       .out = std::span(out_).subspan(k * bytes_out, bytes_out)});
  }
}

std::span<StreamFrame> CodewordFrames::decode(const EccJob& job) {
  const std::uint32_t payload = layout_.codeword_bytes;
  make_frames(codewords(job), payload + parity_bytes_, payload);
  for (std::uint32_t k = 0; k < frames_.size(); ++k) {
    std::byte* const codeword = &in_[k * (payload + parity_bytes_)];
    std::memcpy(codeword, job.data + layout_.payload_byte(first_codeword(job) + k), payload);
    std::memcpy(codeword + payload, job.data + layout_.parity_byte(first_codeword(job) + k), parity_bytes_);
  }
  return frames_;
}

std::span<StreamFrame> CodewordFrames::encode(const EccJob& job) {
  const std::uint32_t payload = layout_.codeword_bytes;
  make_frames(codewords(job), payload, payload + parity_bytes_);
  std::memcpy(in_.data(), job.data + job.first_byte, in_.size());
  return frames_;
}

std::span<StreamFrame> CodewordFrames::scramble(const EccJob& job) {
  const std::size_t bytes = std::size_t{job.first_byte} + job.bytes;
  make_frames(1, bytes, bytes);
  std::memcpy(in_.data(), job.data, bytes);
  frames_.front().seed = job.scrambler_seed;
  return frames_;
}

ecc::PageCoder::Decoded CodewordFrames::put_decoded(EccJob& job) const {
  job.uncorrectable = false;
  job.corrected_bits = 0;
  ecc::PageCoder::Decoded decoded;
  for (std::uint32_t k = 0; k < frames_.size(); ++k) {
    const StreamFrame& frame = frames_[k];
    job.uncorrectable |= frame.fail;
    if (frame.fail) continue;
    const std::uint32_t codeword = first_codeword(job) + k;
    job.corrected_bits += frame.corrected;
    std::memcpy(job.data + layout_.payload_byte(codeword), frame.out.data(), frame.out.size());
    const bool detected = !crc_.fits(layout_, codeword, job.data);
    // If the number of misread bits is known and the decoder has flipped a different number of bits, its result is
    // wrong.
    const bool known_wrong = !job.codeword_errors.empty() && frame.corrected != job.codeword_errors[k];
    decoded.miscorrected += detected || known_wrong;
    decoded.crc_detected += detected;
    if (detected || known_wrong) decoded.expected_escapes += crc_.missed_share();
    job.uncorrectable |= detected;
  }
  if (job.uncorrectable) job.corrected_bits = 0;
  return decoded;
}

std::uint32_t CodewordFrames::searched() const {
  std::uint32_t searched = 0;
  for (const StreamFrame& frame : frames_) searched += frame.fail || frame.corrected > 0;
  return searched;
}

void CodewordFrames::put_encoded(EccJob& job) const {
  const std::uint32_t payload = layout_.codeword_bytes;
  for (std::uint32_t k = 0; k < frames_.size(); ++k) {
    const std::span<std::byte> out = frames_[k].out;
    std::memcpy(job.data + layout_.payload_byte(first_codeword(job) + k), out.data(), payload);
    std::byte* const parity = job.data + layout_.parity_byte(first_codeword(job) + k);
    std::memcpy(parity, out.data() + payload, parity_bytes_);
    std::fill(parity + parity_bytes_, parity + layout_.parity_bytes, std::byte{0});
    crc_.write(layout_, first_codeword(job) + k, job.data);
  }
}

void CodewordFrames::put_scrambled(EccJob& job) const {
  std::memcpy(job.data + job.first_byte, &out_[job.first_byte], job.bytes);
}

}  // namespace nandscape::rtl

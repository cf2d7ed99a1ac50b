// SPDX-License-Identifier: Apache-2.0
// Converts the codewords of an ECC job to frames for a design, and the resulting frames back to codewords:
//
//   decode:   payload and parity -> payload, with `fail` and the number of corrected bits
//   encode:   payload -> payload and parity
//   scramble: the page up to the end of the job, with the page's seed -> the same bytes. Only the bytes of the job
//             are used, because the design always begins with the first byte of a page
//
// The bytes of the job are not changed until the design has sent all frames, so that frames can be repeated if a reset
// interrupts them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "ecc/codes/payload_crc.h"
#include "ecc/page_coders/page_coder.h"
#include "protocol/ecc_job.h"
#include "protocol/page_layout.h"
#include "rtl/stream/stream_transfer.h"

namespace nandscape::rtl {

class CodewordFrames {
 public:
  // Each codeword has `parity_bytes` bytes of parity and a CRC of `crc_bits` bits. The layout may reserve more space
  // for a codeword. The bytes between parity and CRC are then unused.
  CodewordFrames(const PageLayout& layout, std::uint32_t parity_bytes, std::uint32_t crc_bits = 0);

  std::span<StreamFrame> decode(const EccJob& job);
  std::span<StreamFrame> encode(const EccJob& job);
  std::span<StreamFrame> scramble(const EccJob& job);

  // Call this function after the frames of decode() have been processed. Copies corrected codewords to the page. Failed
  // codewords remain as they were read. Sets the result fields of the job, and returns the number of miscorrected
  // codewords.
  ecc::PageCoder::Decoded put_decoded(EccJob& job) const;
  // Call this function after the frames of decode() have been processed. Returns the number of codewords in which the
  // decoder had errors to locate.
  std::uint32_t searched() const;
  void put_encoded(EccJob& job) const;
  void put_scrambled(EccJob& job) const;

 private:
  std::uint32_t codewords(const EccJob& job) const { return job.bytes / layout_.codeword_bytes; }
  std::uint32_t first_codeword(const EccJob& job) const { return job.first_byte / layout_.codeword_bytes; }
  void make_frames(std::size_t count, std::size_t bytes_in, std::size_t bytes_out);

  const PageLayout layout_;
  const std::uint32_t parity_bytes_;
  const ecc::PayloadCrc crc_;
  std::vector<std::byte> in_;
  std::vector<std::byte> out_;
  std::vector<StreamFrame> frames_;
};

}  // namespace nandscape::rtl

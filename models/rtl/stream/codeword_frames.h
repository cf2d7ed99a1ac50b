// SPDX-License-Identifier: Apache-2.0
// The codewords of a job as frames for a design, and back:
//
//   decode:   payload and parity -> payload, with `fail` and the number of corrected bits
//   encode:   payload -> payload and parity
//   scramble: the page up to the end of the job, with the page's seed -> the same, of which the job's bytes are taken:
//   wires
//             do not say where in a page a frame begins
//
// The job's bytes are left alone until the frames have come out, so that what a reset cuts off can be done again.
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
  // A codeword has so many bytes of parity, and a CRC of so many bits. What the layout gives it between them is cells
  // without a use.
  CodewordFrames(const PageLayout& layout, std::uint32_t parity_bytes, std::uint32_t crc_bits = 0);

  std::span<StreamFrame> decode(const EccJob& job);
  std::span<StreamFrame> encode(const EccJob& job);
  std::span<StreamFrame> scramble(const EccJob& job);

  // After decode(): corrected codewords come into the page; those that failed stay as they were read. Sets what the job
  // says is set by the engine, and returns what became of codewords that were taken for corrected and are not.
  ecc::PageCoder::Decoded put_decoded(EccJob& job) const;
  // After decode(): codewords in which the decoder had errors to look for.
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

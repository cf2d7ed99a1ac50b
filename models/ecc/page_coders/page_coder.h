// SPDX-License-Identifier: Apache-2.0
// What becomes of the codewords of a job. The engine spends the time that it takes.
#pragma once

#include <cstdint>
#include <span>

#include "core/archive.h"
#include "protocol/ecc_job.h"

namespace nandscape::ecc {

class PageCoder {
 public:
  // What decoding has found, codeword by codeword.
  struct Decoded {
    // Of an iterative decoder; 1 where an algebraic one had errors to find, else 0. Empty when the coder knows of none.
    std::span<const double> iterations;
    std::uint32_t miscorrected = 0;  // codewords that the decoder has taken for corrected and are not
    std::uint32_t crc_detected = 0;  // of them, those whose CRC has told it, which makes the job uncorrectable
    // Of the codewords that the decoder did not correct, how many to expect that are taken for corrected and have a CRC
    // that fits.
    double expected_escapes = 0;
  };

  virtual ~PageCoder() = default;

  virtual void encode(EccJob& job) = 0;
  // Sets what the job says is set by the engine.
  virtual Decoded decode(EccJob& job) = 0;

  virtual void persist(Archive&) {}
};

// The way of a page to flash: its payload is scrambled where the job says so, then encoded.
void write_page(PageCoder& coder, EccJob& job);

}  // namespace nandscape::ecc

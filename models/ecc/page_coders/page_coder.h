// SPDX-License-Identifier: Apache-2.0
// Encodes and decodes the codewords of a job. The engine accounts for the time.
#pragma once

#include <cstdint>
#include <span>

#include "core/archive.h"
#include "protocol/ecc_job.h"

namespace nandscape::ecc {

class PageCoder {
 public:
  // The result of decoding.
  struct Decoded {
    // By codeword: iterations of an iterative decoder; for an algebraic one 1 if it had errors to find, else 0. Empty
    // if the coder does not count iterations.
    std::span<const double> iterations;
    std::uint32_t miscorrected = 0;  // codewords wrongly reported as corrected
    std::uint32_t crc_detected = 0;  // miscorrected codewords that the CRC detected, which makes the job uncorrectable
    // Expected number of wrongly decoded codewords that are reported as corrected and whose CRC nevertheless matches.
    double expected_escapes = 0;
  };

  virtual ~PageCoder() = default;

  virtual void encode(EccJob& job) = 0;
  // Sets the fields of the job that the engine must set.
  virtual Decoded decode(EccJob& job) = 0;

  virtual void persist(Archive&) {}
};

// Prepares a page for flash: scrambles its payload if the job asks for it, then encodes it.
void write_page(PageCoder& coder, EccJob& job);

}  // namespace nandscape::ecc

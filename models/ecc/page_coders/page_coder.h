// SPDX-License-Identifier: Apache-2.0
// A page coder encodes and decodes the codewords of an ECC job. It does not model time. This is done by the ECC engine
// that uses it.
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
    // The number of iterations for each codeword. For an algebraic decoder it is 1 if the codeword contained errors,
    // and 0 otherwise. Empty if the coder does not count iterations.
    std::span<const double> iterations;
    std::uint32_t miscorrected = 0;  // codewords wrongly reported as corrected
    std::uint32_t crc_detected = 0;  // miscorrected codewords that the CRC detected; they make the job uncorrectable
    // The expected number of codewords that are corrected to wrong data without being detected, because their CRC
    // matches by chance.
    double expected_escapes = 0;
  };

  virtual ~PageCoder() = default;

  virtual void encode(EccJob& job) = 0;
  // Decodes the codewords of the job and sets the result fields of the job.
  virtual Decoded decode(EccJob& job) = 0;

  virtual void persist(Archive&) {}
};

// Prepares a page for programming. Scrambles the payload if the job requires it, and then encodes the page.
void write_page(PageCoder& coder, EccJob& job);

}  // namespace nandscape::ecc

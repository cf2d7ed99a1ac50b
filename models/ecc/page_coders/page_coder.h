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
    // The number of codewords decoded. It is less than the number of codewords of the job only if decoding has stopped
    // at a codeword that failed, which is the last one decoded.
    std::uint32_t codewords = all_codewords;
  };
  static constexpr std::uint32_t all_codewords = ~std::uint32_t{0};

  virtual ~PageCoder() = default;

  // From now on, decoding of a job stops at the first codeword that fails. The codewords after it are not decoded.
  void stop_at_failure() { stops_at_failure_ = true; }

  virtual void encode(EccJob& job) = 0;
  // Decodes the codewords of the job and sets the result fields of the job.
  virtual Decoded decode(EccJob& job) = 0;

  virtual void persist(Archive&) {}

 protected:
  bool stops_at_failure() const { return stops_at_failure_; }
  // Returns the number of codewords that a decoder decodes which corrects up to `most` errors of a codeword: all, or
  // those up to the first with more errors if decoding stops at a failure. The job must contain the errors of each
  // codeword.
  std::uint32_t decoded_codewords(const EccJob& job, std::uint32_t most) const {
    return stops_at_failure_ ? up_to_failure(job, most) : all_codewords;
  }

 private:
  [[gnu::noinline]] static std::uint32_t up_to_failure(const EccJob& job, std::uint32_t most);

  bool stops_at_failure_ = false;
};

// Prepares a page for programming. Scrambles the payload if the job requires it, and then encodes the page.
void write_page(PageCoder& coder, EccJob& job);

}  // namespace nandscape::ecc

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
    std::uint32_t miscorrected = 0;  // codewords that were taken for corrected and are not
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

// SPDX-License-Identifier: Apache-2.0
// The third facade: error correcting codes without an SSD round them: the codecs on batches of codewords, and
// equation 1.
//
// A number out of its range throws std::invalid_argument, one for which nothing solves an equation std::domain_error.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "ecc/codes/code_family.h"
#include "ecc/codes/codec.h"
#include "ecc/codes/uber.h"

namespace nandscape {

// Throws ConfigError, saying what there is instead, when there is no such code.
std::unique_ptr<ecc::Codec> open_codec(const ecc::Code& code);

// A code at work on batches: codewords follow each other, `payload_bytes` or `parity_bytes` each. May be called from
// several threads, which then take turns.
class CodeStudy {
 public:
  // Throws ConfigError.
  explicit CodeStudy(const std::string& name);

  const ecc::Code& code() const { return code_; }
  std::uint32_t payload_bytes() const { return codec_->payload_bytes(); }
  std::uint32_t parity_bytes() const { return codec_->parity_bytes(); }
  std::uint32_t codeword_bits() const { return codec_->codeword_bits(); }
  // Errors that are corrected wherever they lie; 0 where no such number is known.
  std::uint32_t guaranteed_errors() const { return ecc::code_family(code_.family).guaranteed_errors(code_); }

  void encode(std::span<const std::byte> payloads, std::span<std::byte> parities);
  // In place; one outcome for each codeword.
  std::vector<ecc::DecodeOutcome> decode(std::span<std::byte> payloads, std::span<std::byte> parities);
  // `llr` has codeword_bits() for each codeword.
  std::vector<ecc::DecodeOutcome> decode_soft(std::span<const std::int8_t> llr, std::span<std::byte> payloads,
                                              std::span<std::byte> parities);

 private:
  std::size_t codewords(std::size_t payload_size, std::size_t parity_size) const;

  ecc::Code code_;
  std::unique_ptr<ecc::Codec> codec_;
  std::unique_lock<std::mutex> turn();

  std::mutex turn_;
};

// A one of a parity-check matrix: its row, and the bit of the codeword. Bits of the payload come first.
using ParityCheck = std::pair<std::uint32_t, std::uint32_t>;

// Those of an LDPC code, row by row. Throws ConfigError for other codes.
std::vector<ParityCheck> parity_checks(const std::string& name);

// What a soft read tells of each bit, for decode_soft(): random ones of the SensingChannel with this RBER and so many
// levels. `bits` are those that were written, one to a byte.
std::vector<std::int8_t> sensed_llr(std::span<const std::uint8_t> bits, double rber, std::uint32_t levels,
                                    std::uint64_t seed);

// Equation 1, and the RBER at which the code has that UBER.
double uncorrectable_error_rate(const ecc::BlockCode& code, double rber);
double tolerable_error_rate(const ecc::BlockCode& code, double uber);

}  // namespace nandscape

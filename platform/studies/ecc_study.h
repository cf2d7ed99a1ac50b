// SPDX-License-Identifier: Apache-2.0
// The third facade: error-correcting codes without an SSD. It offers the codecs, which work on batches of codewords,
// and equation 1 (UBER).
//
// All functions throw std::invalid_argument for a number out of its range, and std::domain_error if an equation has no
// solution.
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

// Throws ConfigError, which names the available codes, if there is no such code.
std::unique_ptr<ecc::Codec> open_codec(const ecc::Code& code);

// Runs a codec on batches of codewords. Payloads follow each other, with `payload_bytes` each, and so do parities.
// Several threads may call it; they take turns.
class CodeStudy {
 public:
  // Throws ConfigError.
  explicit CodeStudy(const std::string& name);

  const ecc::Code& code() const { return code_; }
  std::uint32_t payload_bytes() const { return codec_->payload_bytes(); }
  std::uint32_t parity_bytes() const { return codec_->parity_bytes(); }
  std::uint32_t codeword_bits() const { return codec_->codeword_bits(); }
  // The number of errors that the code corrects at any positions; 0 if unknown.
  std::uint32_t guaranteed_errors() const { return ecc::code_family(code_.family).guaranteed_errors(code_); }

  void encode(std::span<const std::byte> payloads, std::span<std::byte> parities);
  // Decodes in place; returns one outcome for each codeword.
  std::vector<ecc::DecodeOutcome> decode(std::span<std::byte> payloads, std::span<std::byte> parities);
  // `llr` has codeword_bits() elements for each codeword.
  std::vector<ecc::DecodeOutcome> decode_soft(std::span<const std::int8_t> llr, std::span<std::byte> payloads,
                                              std::span<std::byte> parities);

 private:
  std::size_t codewords(std::size_t payload_size, std::size_t parity_size) const;

  ecc::Code code_;
  std::unique_ptr<ecc::Codec> codec_;
  std::unique_lock<std::mutex> turn();

  std::mutex turn_;
};

// A one in a parity-check matrix: its row, and the bit of the codeword. Payload bits come first.
using ParityCheck = std::pair<std::uint32_t, std::uint32_t>;

// The ones in the parity-check matrix of an LDPC code, row by row. Throws ConfigError for other codes.
std::vector<ParityCheck> parity_checks(const std::string& name);

// The LLR of each bit for decode_soft(), drawn from the SensingChannel with this RBER and number of levels. `bits` are
// the written bits, one per byte.
std::vector<std::int8_t> sensed_llr(std::span<const std::uint8_t> bits, double rber, std::uint32_t levels,
                                    std::uint64_t seed);

// Equation 1, and its inverse: the RBER at which the code has that UBER.
double uncorrectable_error_rate(const ecc::BlockCode& code, double rber);
double tolerable_error_rate(const ecc::BlockCode& code, double uber);

}  // namespace nandscape

// SPDX-License-Identifier: Apache-2.0
// A facade for error-correcting codes, without an SSD. It offers the codecs, which work on batches of codewords, and
// the uncorrectable bit error rate (UBER) by equation 1 of Liu et al. (FAST 2012).
//
// All functions throw std::invalid_argument for a number that is out of its range, and std::domain_error if an equation
// has no solution.
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

// Creates the codec of a code. Throws ConfigError, which names the available codes, if there is no such code.
std::unique_ptr<ecc::Codec> open_codec(const ecc::Code& code);

// Runs a codec on batches of codewords. The payloads of a batch follow one another, with `payload_bytes` bytes each,
// and so do the parities. Several threads may use the object; their calls run one after another.
class CodeStudy {
 public:
  // Creates the codec of the code named `name`. Throws ConfigError if there is no such code.
  explicit CodeStudy(const std::string& name);

  const ecc::Code& code() const { return code_; }
  std::uint32_t payload_bytes() const { return codec_->payload_bytes(); }
  std::uint32_t parity_bytes() const { return codec_->parity_bytes(); }
  std::uint32_t codeword_bits() const { return codec_->codeword_bits(); }
  // Returns the number of errors that the code corrects at any positions, or 0 if this number is unknown.
  std::uint32_t guaranteed_errors() const { return ecc::code_family(code_.family).guaranteed_errors(code_); }

  void encode(std::span<const std::byte> payloads, std::span<std::byte> parities);
  // Decodes the codewords in place, and returns one outcome for each codeword.
  std::vector<ecc::DecodeOutcome> decode(std::span<std::byte> payloads, std::span<std::byte> parities);
  // Decodes soft reads. `llr` has codeword_bits() elements for each codeword. The decoded bits are written to
  // `payloads` and `parities`.
  std::vector<ecc::DecodeOutcome> decode_soft(std::span<const std::int8_t> llr, std::span<std::byte> payloads,
                                              std::span<std::byte> parities);

 private:
  std::size_t codewords(std::size_t payload_size, std::size_t parity_size) const;

  ecc::Code code_;
  std::unique_ptr<ecc::Codec> codec_;
  std::unique_lock<std::mutex> turn();

  std::mutex turn_;
};

// A one in a parity-check matrix: its row, and the number of the bit in the codeword. The bits of the payload come
// first.
using ParityCheck = std::pair<std::uint32_t, std::uint32_t>;

// Returns the ones in the parity-check matrix of an LDPC code, row by row. Throws ConfigError for any other code.
std::vector<ParityCheck> parity_checks(const std::string& name);

// Returns the LLR of each bit for decode_soft(). The values are drawn from a SensingChannel with this RBER and number
// of sensing levels. `bits` contains the written bits, one per byte.
std::vector<std::int8_t> sensed_llr(std::span<const std::uint8_t> bits, double rber, std::uint32_t levels,
                                    std::uint64_t seed);

// uncorrectable_error_rate() computes the UBER by equation 1 of Liu et al. (FAST 2012). tolerable_error_rate() is its
// inverse: it returns the RBER at which the code has the given UBER.
double uncorrectable_error_rate(const ecc::BlockCode& code, double rber);
double tolerable_error_rate(const ecc::BlockCode& code, double uber);

}  // namespace nandscape

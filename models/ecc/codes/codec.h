// SPDX-License-Identifier: Apache-2.0
// A code at work: it makes the parity of a codeword and corrects what was read back.
//
// A codeword is its payload followed by its parity, which may lie apart. Bit i of either lies in bit i % 8 of byte i /
// 8; bits of the last parity byte that the code does not use are zeros. A codec keeps scratch memory between calls, so
// each thread has one of its own; what is constant of a code is shared by its codecs.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>

#include "ecc/codes/code.h"

namespace nandscape::ecc {

struct DecodeOutcome {
  bool corrected = false;            // else the codeword is left as it was read
  std::uint32_t corrected_bits = 0;  // of payload and parity
  std::uint32_t iterations = 0;      // of an iterative decoder, begun ones counted; 0 for an algebraic one
};

class Codec {
 public:
  virtual ~Codec() = default;

  virtual std::uint32_t payload_bytes() const = 0;
  virtual std::uint32_t parity_bytes() const = 0;
  // Bits that the channel can flip: payload and parity without padding.
  virtual std::uint32_t codeword_bits() const = 0;

  virtual void encode(const std::byte* payload, std::byte* parity) = 0;

  // Corrects in place. A decoder that finds another codeword than the one written reports it as corrected, as hardware
  // would.
  virtual DecodeOutcome decode(std::byte* payload, std::byte* parity) = 0;

  // From soft reads: for each of codeword_bits() bits its log-likelihood ratio, positive where the bit is rather 1, in
  // steps of the code's choice (see sensing_channel.h). Writes the payload and the parity that it decides for; when it
  // fails, the hard decisions. Algebraic codes use the signs alone.
  virtual DecodeOutcome decode_soft(std::span<const std::int8_t> llr, std::byte* payload, std::byte* parity) = 0;
};

// Throws std::invalid_argument, saying what there is instead, when there is no such code.
std::unique_ptr<Codec> make_codec(const Code& code);

}  // namespace nandscape::ecc

// SPDX-License-Identifier: Apache-2.0
// A codec: computes the parity of a codeword and corrects the codeword that was read.
//
// A codeword is its payload followed by its parity, which may be stored apart. Bit i of either is bit i % 8 of byte i /
// 8; unused bits of the last parity byte are zeros. A codec has scratch memory, so each thread needs its own; codecs of
// a code share its constants.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>

#include "ecc/codes/code.h"

namespace nandscape::ecc {

struct DecodeOutcome {
  bool corrected = false;            // if false, the codeword is unchanged
  std::uint32_t corrected_bits = 0;  // corrected bits of payload and parity
  std::uint32_t iterations = 0;      // counts an unfinished iteration as one; 0 for an algebraic decoder
};

class Codec {
 public:
  virtual ~Codec() = default;

  virtual std::uint32_t payload_bytes() const = 0;
  virtual std::uint32_t parity_bytes() const = 0;
  // Bits that the channel can flip: payload and parity without padding.
  virtual std::uint32_t codeword_bits() const = 0;

  virtual void encode(const std::byte* payload, std::byte* parity) = 0;

  // Corrects in place. A decoder that finds a codeword other than the one written reports it as corrected, as hardware
  // would.
  [[nodiscard]] virtual DecodeOutcome decode(std::byte* payload, std::byte* parity) = 0;

  // Decodes from soft reads. `llr` holds the log-likelihood ratio of each of codeword_bits() bits, positive if 1 is
  // more likely, in steps that the code chooses (see sensing_channel.h). Writes the decoded payload and parity, or the
  // hard decisions if decoding fails. Algebraic codes use only the signs.
  [[nodiscard]] virtual DecodeOutcome decode_soft(std::span<const std::int8_t> llr, std::byte* payload,
                                                  std::byte* parity) = 0;
};

// Throws std::invalid_argument if there is no such code; the message names the alternatives.
std::unique_ptr<Codec> make_codec(const Code& code);

}  // namespace nandscape::ecc

// SPDX-License-Identifier: Apache-2.0
// A codec computes the parity of a payload, and corrects the errors of a codeword that was read.
//
// A codeword consists of a payload and its parity, which may be stored separately. In both, bit i is bit i % 8 of byte
// i / 8. Unused bits of the last parity byte are zeros. A codec contains scratch memory, so each thread needs its own
// codec. All codecs of a code share the constants of the code.
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
  std::uint32_t iterations = 0;      // a partial iteration counts as one; 0 for an algebraic decoder
};

class Codec {
 public:
  virtual ~Codec() = default;

  virtual std::uint32_t payload_bytes() const = 0;
  virtual std::uint32_t parity_bytes() const = 0;
  // The number of bits that the channel can flip: payload and parity, without the unused bits of the last parity byte.
  virtual std::uint32_t codeword_bits() const = 0;

  virtual void encode(const std::byte* payload, std::byte* parity) = 0;

  // Corrects payload and parity in place. If the decoder arrives at a codeword other than the one that was written, it
  // reports that codeword as corrected, as hardware would.
  [[nodiscard]] virtual DecodeOutcome decode(std::byte* payload, std::byte* parity) = 0;

  // Decodes from soft reads. `llr` contains the log-likelihood ratio of each of the codeword_bits() bits. It is
  // positive if 1 is more likely than 0. The ratios are scaled so that the most certain one is strongest_llr (see
  // sensing_channel.h). Writes the decoded payload and parity, or the hard decisions if decoding fails. Algebraic codes
  // use only the signs.
  [[nodiscard]] virtual DecodeOutcome decode_soft(std::span<const std::int8_t> llr, std::byte* payload,
                                                  std::byte* parity) = 0;
};

// Makes an encoder and decoder for `code`. Throws std::invalid_argument if the code does not exist. The message lists
// the codes that exist.
std::unique_ptr<Codec> make_codec(const Code& code);

}  // namespace nandscape::ecc

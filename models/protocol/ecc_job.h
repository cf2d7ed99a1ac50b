// SPDX-License-Identifier: Apache-2.0
// The contract between the controller and an ECC engine: one page, or a part of one, to encode or decode. On a TLM
// socket BEGIN_REQ hands the job over and BEGIN_RESP returns it done; the engine answers in the order of the requests.
#pragma once

#include <cstddef>
#include <cstdint>

#include "core/ticks.h"

namespace nandscape {

enum class EccKind : std::uint8_t { decode, encode };

struct EccJob {
  EccKind kind = EccKind::decode;
  bool uncorrectable = false;  // set by the engine
  std::uint32_t bytes = 0;     // payload bytes, a whole number of codewords
  // Decode, where the data themselves are not kept: misread bits of the job, and of the codeword with most of them.
  std::uint32_t raw_bit_errors = 0;
  std::uint32_t worst_codeword_errors = 0;
  std::uint32_t corrected_bits = 0;  // set by the engine
  std::byte* data = nullptr;         // payload and parity, or null when the simulation keeps no data
  void* owner = nullptr;             // for the initiator's own use
};

}  // namespace nandscape

// SPDX-License-Identifier: Apache-2.0
// The contract between the controller and an ECC engine: one page, or a part of one, to encode or decode. On a TLM
// socket BEGIN_REQ hands the job over, END_REQ follows once the engine's FIFO has room for it, and BEGIN_RESP returns
// the finished job. The engine responds in the order of the requests.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "core/ticks.h"

namespace nandscape {

enum class EccKind : std::uint8_t { decode, encode };

// The number of a code among all codes with which the drive encodes pages.
using CodeNumber = std::uint8_t;
inline constexpr CodeNumber ordinary_code = 0;

struct EccJob {
  EccKind kind = EccKind::decode;
  bool scrambled = false;      // the payload is scrambled on flash, with `scrambler_seed`
  bool uncorrectable = false;  // set by the engine
  CodeNumber code = ordinary_code;
  std::uint8_t sensing_levels = 1;  // decode: levels of the read; more than one for a soft read (sensing_levels.h)
  std::uint32_t first_byte = 0;     // where the payload begins in the page; the start of a codeword
  std::uint32_t bytes = 0;          // payload bytes, a whole number of codewords
  std::uint64_t scrambler_seed = 0;
  Tick transfer_time = 0;  // decode: duration of the data transfer, which ends when the job is handed over
  // Decode: misread bits in the job, in its worst codeword, and, if the decoder needs them, in each codeword. The
  // initiator counts as if all codewords were of the drive's shortest code. The engine sets worst_codeword_errors for
  // codewords of the job's own code.
  std::uint32_t raw_bit_errors = 0;
  std::uint32_t worst_codeword_errors = 0;
  std::span<const std::uint16_t> codeword_errors;
  // Decode of a soft read: the probability that a bit is misread. It determines how much information the senses carry.
  double misread_probability = 0;
  // Decode of a soft read with a real codec: for each bit of `data`, the number of senses that found a 1.
  std::span<const std::uint8_t> sensed_ones;
  std::uint32_t corrected_bits = 0;  // set by the engine; 0 for an uncorrectable job
  // The whole page, with its spare bytes if a real codec is used; null if the simulation keeps no data. Decoding leaves
  // the payload corrected and descrambled. An uncorrectable payload stays scrambled as it was read, with errors in at
  // least the failed codewords. Encoding leaves payload and parity as they are written to flash.
  std::byte* data = nullptr;
  void* owner = nullptr;   // for the initiator's own use
  EccJob* next = nullptr;  // for the initiator's queues
};

}  // namespace nandscape

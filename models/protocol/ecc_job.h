// SPDX-License-Identifier: Apache-2.0
// The contract between the controller and an ECC engine: one page, or a part of one, to encode or decode. On a TLM
// socket BEGIN_REQ hands the job over, END_REQ says that the engine's FIFO had room for it, and BEGIN_RESP returns it
// done; the engine answers in the order of the requests.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "core/ticks.h"

namespace nandscape {

enum class EccKind : std::uint8_t { decode, encode };

// A code that pages are encoded by: its number among those of the drive.
using CodeNumber = std::uint8_t;
inline constexpr CodeNumber ordinary_code = 0;

struct EccJob {
  EccKind kind = EccKind::decode;
  bool scrambled = false;      // the payload is scrambled on flash, which `scrambler_seed` undoes
  bool uncorrectable = false;  // set by the engine
  CodeNumber code = ordinary_code;
  std::uint8_t sensing_levels = 1;  // decode: of the read; more than one for a soft read (sensing_levels.h)
  std::uint32_t first_byte = 0;     // of the page: where the payload begins, with a whole codeword
  std::uint32_t bytes = 0;          // payload bytes, a whole number of codewords
  std::uint64_t scrambler_seed = 0;
  Tick transfer_time = 0;  // decode: how long the bytes took to come in, until the job was handed over
  // Decode: misread bits of the job, and of the codeword with most of them; by codeword where the decoder asks for it.
  // Codewords are counted as if they were all of the drive's shortest ones. The engine sets what the worst codeword of
  // the job's own code has.
  std::uint32_t raw_bit_errors = 0;
  std::uint32_t worst_codeword_errors = 0;
  std::span<const std::uint16_t> codeword_errors;
  // Decode, at soft reads: the probability of a misread bit, which says how much the senses tell of all the bits.
  double misread_probability = 0;
  // Decode, for a real codec at soft reads: by bit of `data`, how many of the senses have found a 1.
  std::span<const std::uint8_t> sensed_ones;
  std::uint32_t corrected_bits = 0;  // set by the engine; 0 when it is uncorrectable
  // The whole page, with its spare bytes where a real codec is at work; null when the simulation keeps no data.
  // Decoding leaves the payload corrected and plain; when it is uncorrectable, scrambled as it was read, with errors
  // at least in those codewords that failed. Encoding leaves payload and parity as they go to flash.
  std::byte* data = nullptr;
  void* owner = nullptr;   // for the initiator's own use
  EccJob* next = nullptr;  // for the initiator's queues
};

}  // namespace nandscape

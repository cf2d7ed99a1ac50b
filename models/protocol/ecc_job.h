// SPDX-License-Identifier: Apache-2.0
// The contract between the controller and an ECC engine. A job is one page, or a part of one, to be encoded or decoded.
// On a TLM socket, BEGIN_REQ passes the job to the engine. END_REQ follows when the FIFO of the engine has room for the
// job, and BEGIN_RESP returns the finished job. An engine with one encoder and one decoder sends responses in the order
// of the requests. A pool may finish a job before an earlier one.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "core/ticks.h"

namespace tlm {
class tlm_generic_payload;
}

namespace nandscape {

enum class EccKind : std::uint8_t { decode, encode };

// The index of a code among all codes that the drive uses for pages.
using CodeNumber = std::uint8_t;
inline constexpr CodeNumber ordinary_code = 0;

struct EccJob {
  EccKind kind = EccKind::decode;
  bool scrambled = false;      // the payload on flash is scrambled with `scrambler_seed`
  bool uncorrectable = false;  // set by the engine
  CodeNumber code = ordinary_code;
  std::uint8_t sensing_levels = 1;  // decode: sensing levels of the read; more than 1 for a soft read
  std::uint32_t first_byte = 0;     // position of the payload in the page; must be the start of a codeword
  std::uint32_t bytes = 0;          // payload bytes; a multiple of the codeword's payload
  std::uint64_t scrambler_seed = 0;
  Tick transfer_time = 0;  // decode: duration of the data transfer that ends when the job is passed on
  // Decode: the number of misread bits in the job, in its worst codeword, and, if the decoder needs it, in each
  // codeword. The initiator counts these errors as if all codewords belonged to the shortest code of the drive. The
  // engine then sets worst_codeword_errors for codewords of the job's own code.
  std::uint32_t raw_bit_errors = 0;
  std::uint32_t worst_codeword_errors = 0;
  std::span<const std::uint16_t> codeword_errors;
  // Decode of a soft read: the probability that a bit is misread, which determines how much information the senses
  // contain.
  double misread_probability = 0;
  // Decode of a soft read with a real codec: for each bit of `data`, the number of senses that read a 1.
  std::span<const std::uint8_t> sensed_ones;
  std::uint32_t corrected_bits = 0;  // set by the engine; 0 if the job is uncorrectable
  // The whole page. It includes the spare bytes if a real codec is used. The pointer is null if the simulation stores
  // no data. After decoding, the payload is corrected and descrambled. An uncorrectable payload remains scrambled, as
  // it was read, and at least its failed codewords contain errors. After encoding, payload and parity are in the form
  // in which they are written to flash.
  std::byte* data = nullptr;
  void* owner = nullptr;                        // for the initiator's own use
  EccJob* next = nullptr;                       // for the initiator's queues
  tlm::tlm_generic_payload* payload = nullptr;  // the payload that carries the job over sockets
};

}  // namespace nandscape

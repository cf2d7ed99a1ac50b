// SPDX-License-Identifier: Apache-2.0
// A design that takes frames of bytes in and puts frames out, each over a stream of words: valid, ready, last and keep,
// as AXI4-Stream has them. A word moves in the cycles in which both valid and ready are set. It is 64 bits wide; byte k
// lies in bits 8k to 8k + 7. All words of a frame are full but the last one, whose `keep` says how many of its bytes
// count, from the lowest one on.
#pragma once

#include <cstdint>
#include <string>

namespace nandscape::rtl {

struct StreamWord {
  std::uint64_t data = 0;
  std::uint8_t keep = 0xff;
  bool valid = false;
  bool last = false;
};

class ClockedStream {
 public:
  struct Inputs {
    bool reset = false;
    StreamWord in;
    // Beside the first word of a frame: what a scrambler starts from. Other designs have no such port.
    std::uint64_t seed = 0;
    bool out_ready = false;
  };
  struct Outputs {
    bool in_ready = false;
    StreamWord out;
    // Beside the last word of a frame: of a decoder.
    bool fail = false;
    std::uint16_t corrected = 0;  // bits
  };

  virtual ~ClockedStream() = default;

  // One clock cycle: the outputs as they stand before its rising edge, with these inputs applied.
  virtual Outputs cycle(const Inputs& inputs) = 0;
};

}  // namespace nandscape::rtl

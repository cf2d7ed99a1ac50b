// SPDX-License-Identifier: Apache-2.0
// A design that takes in and puts out frames of bytes, each over a stream of words with valid, ready, last and keep as
// in AXI4-Stream. A word moves in the cycles in which both valid and ready are set. It is 64 bits wide; byte k is bits
// 8k to 8k + 7. All words of a frame are full but the last, whose `keep` marks its valid bytes, from the lowest onward.
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
    // With the first word of a frame: the seed of a scrambler. Other designs have no such port.
    std::uint64_t seed = 0;
    bool out_ready = false;
  };
  struct Outputs {
    bool in_ready = false;
    StreamWord out;
    // With the last word of a frame, for decoders.
    bool fail = false;
    std::uint16_t corrected = 0;  // bits
  };

  virtual ~ClockedStream() = default;

  // Runs one clock cycle with `inputs` applied, and returns the outputs just before its rising edge.
  virtual Outputs cycle(const Inputs& inputs) = 0;
};

}  // namespace nandscape::rtl

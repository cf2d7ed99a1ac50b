// SPDX-License-Identifier: Apache-2.0
// A design that receives and sends frames of bytes. Each direction is a stream of words with the signals valid, ready,
// last and keep, as in AXI4-Stream. A word is transferred in a cycle in which both valid and ready are set. A word has
// 64 bits, and its byte k consists of the bits 8k to 8k + 7. All words of a frame are full, except for the last one.
// Its `keep` marks the valid bytes, beginning with the lowest.
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
    // Valid with the first word of a frame: the seed of a scrambler. Other designs do not have this port.
    std::uint64_t seed = 0;
    bool out_ready = false;
  };
  struct Outputs {
    bool in_ready = false;
    StreamWord out;
    // Valid with the last word of a frame; used by decoders only.
    bool fail = false;
    std::uint16_t corrected = 0;  // number of corrected bits
  };

  virtual ~ClockedStream() = default;

  // Runs one clock cycle with the given inputs. Returns the outputs just before the rising edge of the clock.
  virtual Outputs cycle(const Inputs& inputs) = 0;
};

}  // namespace nandscape::rtl

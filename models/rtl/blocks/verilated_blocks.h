// SPDX-License-Identifier: Apache-2.0
// The RTL designs in this folder, compiled to C++ by Verilator. They are equivalent to ecc::BchCodec for a payload of
// 1024 bytes and 72 errors, and to ecc::scramble beginning with the first byte of a page. A design is in reset until
// its first cycle without `reset`.
#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "rtl/stream/clocked_stream.h"

namespace nandscape::rtl {

// Records the waves of all signals of a design in a file in the format FST, which GTKWave and Surfer can read.
class Waves {
 public:
  virtual ~Waves() = default;

  // Starts recording with the next cycle. Throws InputError if the file cannot be written.
  virtual void open(const std::string& path) = 0;
  // Sets the time and the period of the next cycle. The time must be later than that of the previous cycle. Call this
  // function before each cycle that is to be recorded. Other cycles are not recorded.
  virtual void begin_cycle(std::uint64_t at_ps, std::uint64_t period_ps) = 0;
  virtual void close() = 0;
};

class VerilatedStream : public ClockedStream {
 public:
  virtual Waves& waves() = 0;
};

std::unique_ptr<VerilatedStream> make_bch_encoder();
std::unique_ptr<VerilatedStream> make_bch_decoder();
std::unique_ptr<VerilatedStream> make_scrambler();

// The same designs for a payload of 64 bytes and 4 errors. Their simulation is fast.
std::unique_ptr<VerilatedStream> make_small_bch_encoder();
std::unique_ptr<VerilatedStream> make_small_bch_decoder();

}  // namespace nandscape::rtl

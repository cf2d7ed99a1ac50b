// SPDX-License-Identifier: Apache-2.0
// The designs of this folder, compiled by Verilator: twins of ecc::BchCodec for 1024 bytes of payload and 72 errors,
// and of ecc::scramble from the first byte of a page onward. Each is in reset until its first cycle without `reset`.
#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "rtl/stream/clocked_stream.h"

namespace nandscape::rtl {

// Records the waves of all signals of a design in FST, for GTKWave and Surfer.
class Waves {
 public:
  virtual ~Waves() = default;

  // Records from the next cycle onward. Throws InputError if the file cannot be written.
  virtual void open(const std::string& path) = 0;
  // Sets the beginning of the next cycle, which must be later than that of the previous one, and its period. Call it
  // before each cycle to be recorded; other cycles are left out.
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

// The same designs for 64 bytes of payload and 4 errors, which are quick to simulate.
std::unique_ptr<VerilatedStream> make_small_bch_encoder();
std::unique_ptr<VerilatedStream> make_small_bch_decoder();

}  // namespace nandscape::rtl

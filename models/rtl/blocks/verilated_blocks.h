// SPDX-License-Identifier: Apache-2.0
// The designs of this folder as Verilator compiles them: twins of ecc::BchCodec for 1024 bytes of payload and 72
// errors, and of ecc::scramble from the first byte of a page on. Each is in reset until cycles with `reset` unset.
#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "rtl/stream/clocked_stream.h"

namespace nandscape::rtl {

// The waves of all signals of a design, in FST, as GTKWave and Surfer show them.
class Waves {
 public:
  virtual ~Waves() = default;

  // From the next cycle on. Throws InputError when the file cannot be written.
  virtual void open(const std::string& path) = 0;
  // When the next cycle begins, later than the one before, and how long it takes. Needed before each cycle that is to
  // be seen: without it, a cycle is left out.
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

// The same for 64 bytes of payload and 4 errors, which are quick to simulate.
std::unique_ptr<VerilatedStream> make_small_bch_encoder();
std::unique_ptr<VerilatedStream> make_small_bch_decoder();

}  // namespace nandscape::rtl

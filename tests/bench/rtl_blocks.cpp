// SPDX-License-Identifier: Apache-2.0
// What the designs under Verilator cost: a clock cycle, and a frame of 1 KiB, by design and number of errors.
#include <chrono>
#include <cstdio>
#include <memory>
#include <string>
#include <vector>

#include "core/random.h"
#include "cosim/code_frames.h"
#include "cosim/stream_driver.h"
#include "rtl/blocks/verilated_blocks.h"

using namespace nandscape;
using namespace nandscape::tests;

namespace {

void measure(const char* name, rtl::ClockedStream& design, const Frame& frame) {
  using Clock = std::chrono::steady_clock;
  RandomStream random(1, name);
  StreamDriver driver(design, random, 0);
  const std::vector<Frame> frames(200, frame);
  const Clock::time_point start = Clock::now();
  const std::vector<FrameOut> out = driver.run(frames);
  const double us = std::chrono::duration<double, std::micro>(Clock::now() - start).count();
  const auto count = static_cast<double>(frames.size());
  const auto cycles = static_cast<double>(out.back().last_cycle - out.front().last_cycle) / (count - 1);
  std::printf("%-24s %6.0f cycles %8.1f us a frame %6.0f ns a cycle\n", name, cycles, us / count,
              us / count / cycles * 1e3);
}

}  // namespace

int main() {
  RandomStream random(1, "bench");
  CodeFrames code(1024, 72, random);
  const Frame payload = code.payload();
  measure("scrambler", *rtl::make_scrambler(), payload);
  measure("encoder", *rtl::make_bch_encoder(), payload);
  for (const std::uint32_t errors : {0u, 10u, 40u, 72u}) {
    Frame frame = code.encoded(payload);
    code.add_errors(frame, errors, CodeFrames::Pattern::scattered);
    measure(("decoder, " + std::to_string(errors) + " errors").c_str(), *rtl::make_bch_decoder(), frame);
  }
  return 0;
}

// SPDX-License-Identifier: Apache-2.0
// Measures the processor time that each design needs under Verilator, per clock cycle and per frame of 1 KiB. The
// decoder runs with several numbers of errors. The fastest of 20 runs counts, since other programs disturbed it least.
#include <algorithm>
#include <cstdio>
#include <ctime>
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
  RandomStream random(1, name);
  StreamDriver driver(design, random, 0);
  const std::vector<Frame> frames(20, frame);
  const auto count = static_cast<double>(frames.size());
  double us = 1e9, cycles = 0;
  for (int run = 0; run < 20; ++run) {
    const std::clock_t start = std::clock();
    const std::vector<FrameOut> out = driver.run(frames);
    us = std::min(us, 1e6 * static_cast<double>(std::clock() - start) / static_cast<double>(CLOCKS_PER_SEC) / count);
    cycles = static_cast<double>(out.back().last_cycle - out.front().last_cycle) / (count - 1);
  }
  std::printf("%-24s %6.0f cycles %8.1f us a frame %6.0f ns a cycle\n", name, cycles, us, us / cycles * 1e3);
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

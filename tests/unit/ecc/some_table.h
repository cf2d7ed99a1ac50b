// SPDX-License-Identifier: Apache-2.0
// The measurements of a code, made up for tests.
#pragma once

#include <cstdint>
#include <memory>

#include "ecc/measurement/code_table.h"

namespace nandscape::ecc {

// Returns the table of a code. Most codewords begin to fail between 100 and 200 errors, and decoding needs one more
// iteration for every 50 errors.
inline std::shared_ptr<const CodeTable> some_table() {
  CodeMeasurement measurement;
  measurement.code = code_named("ldpc_4096_512");
  measurement.payload_bytes = 4096;
  measurement.codeword_bits = 36864;
  // With soft reads at three levels, the decoder corrects 100 more errors and needs half as many iterations.
  for (const std::uint32_t levels : {1u, 3u}) {
    FramesByErrors& frames = measurement.by_levels[levels];
    const std::uint32_t gain = 50 * (levels - 1);
    for (std::uint32_t errors = 0; errors <= 400; errors += 50) {
      const std::uint64_t failures = errors < 100 + gain ? 0 : errors < 200 + gain ? 5000 : 10'000;
      frames[errors] = {10'000, failures, 0, (1 + errors / (levels == 1 ? 50 : 100)) * 10'000, 0};
    }
  }
  return std::make_shared<CodeTable>(measurement);
}

}  // namespace nandscape::ecc

// SPDX-License-Identifier: Apache-2.0
// Aborts unless `holds`, so that the fuzzer keeps the input. `what` describes the condition.
#pragma once

#include <cstdio>
#include <cstdlib>

namespace nandscape {

inline void require(bool holds, const char* what) {
  if (holds) return;
  std::fprintf(stderr, "does not hold: %s\n", what);
  std::abort();
}

}  // namespace nandscape

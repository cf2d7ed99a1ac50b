// SPDX-License-Identifier: Apache-2.0
// Aborts the program if `holds` is false, so that the fuzzer saves the input. `what` describes the condition in the
// message.
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

// SPDX-License-Identifier: Apache-2.0
// What must hold for any input; the fuzzer keeps the one for which it does not.
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

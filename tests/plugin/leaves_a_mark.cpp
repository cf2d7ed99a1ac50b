// SPDX-License-Identifier: Apache-2.0
// A library that is no plug-in, and whose code runs as soon as it is loaded: it leaves a file where the environment
// says.
#include <cstdio>
#include <cstdlib>

namespace {

[[gnu::constructor]] void leave_mark() {
  const char* const path = std::getenv("NANDSCAPE_TEST_MARK");
  std::FILE* const file = path != nullptr ? std::fopen(path, "w") : nullptr;
  if (file != nullptr) std::fclose(file);
}

}  // namespace

// SPDX-License-Identifier: Apache-2.0
// A library that is not a plug-in. Its code runs as soon as it is loaded, and creates the file that NANDSCAPE_TEST_MARK
// names.
#include <cstdio>
#include <cstdlib>

namespace {

[[gnu::constructor]] void leave_mark() {
  const char* const path = std::getenv("NANDSCAPE_TEST_MARK");
  std::FILE* const file = path != nullptr ? std::fopen(path, "w") : nullptr;
  if (file != nullptr) std::fclose(file);
}

}  // namespace

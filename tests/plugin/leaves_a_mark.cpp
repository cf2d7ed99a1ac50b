// SPDX-License-Identifier: Apache-2.0
// A library that is not a plug-in. Its constructor runs when the library is loaded, and creates the file named by
// NANDSCAPE_TEST_MARK. Tests use this to see whether the library was loaded.
#include <cstdio>
#include <cstdlib>

namespace {

[[gnu::constructor]] void leave_mark() {
  const char* const path = std::getenv("NANDSCAPE_TEST_MARK");
  std::FILE* const file = path != nullptr ? std::fopen(path, "w") : nullptr;
  if (file != nullptr) std::fclose(file);
}

}  // namespace

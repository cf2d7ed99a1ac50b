// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "core/error.h"
#include "core/message_text.h"

namespace nandscape {

// Returns `path`. Throws InputError if the path contains a NUL character, because the operating system would ignore
// everything after it.
inline const std::string& checked_path(const std::string& path) {
  constexpr std::size_t longest = 200;
  if (path.find('\0') == std::string::npos) return path;
  throw InputError({printable(path, longest)}, "is not a file name: it contains a NUL");
}

}  // namespace nandscape

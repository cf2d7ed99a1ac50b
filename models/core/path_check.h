// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "core/error.h"
#include "core/message_text.h"

namespace nandscape {

// The path. Throws InputError for one with a NUL, behind which the system would not read on.
inline const std::string& checked_path(const std::string& path) {
  constexpr std::size_t longest = 200;
  if (path.find('\0') == std::string::npos) return path;
  throw InputError({printable(path, longest)}, "names no file: there is a NUL in it");
}

}  // namespace nandscape

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

namespace nandscape::host {

// A line of a file as a message quotes it: cut to a readable length, unprintable bytes as '?'.
inline std::string quoted_line(std::string_view line) {
  constexpr std::size_t longest = 100;
  std::string text = "\"";
  for (const char c : line.substr(0, longest)) text += (c >= ' ' && c <= '~') || c == '\t' ? c : '?';
  return text + (line.size() > longest ? "...\"" : "\"");
}

}  // namespace nandscape::host

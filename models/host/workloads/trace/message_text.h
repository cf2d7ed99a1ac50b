// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

namespace nandscape::host {

// Quotes a line of a file for a message. Cuts the line to a readable length and replaces unprintable bytes by '?'.
inline std::string quoted_line(std::string_view line) {
  constexpr std::size_t longest = 100;
  std::string text = "\"";
  for (const char c : line.substr(0, longest)) text += (c >= ' ' && c <= '~') || c == '\t' ? c : '?';
  return text + (line.size() > longest ? "...\"" : "\"");
}

// Formats the first bytes of a binary record for a message, in hexadecimal.
inline std::string quoted_bytes(std::string_view record) {
  constexpr std::size_t longest = 32;
  constexpr char digits[] = "0123456789abcdef";
  std::string text;
  for (const char c : record.substr(0, longest)) {
    const auto byte = static_cast<unsigned char>(c);
    text += text.empty() ? "" : " ";
    text += digits[byte >> 4];
    text += digits[byte & 15];
  }
  return text + (record.size() > longest ? " ..." : "");
}

}  // namespace nandscape::host

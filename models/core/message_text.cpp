// SPDX-License-Identifier: Apache-2.0
#include "core/message_text.h"

#include <algorithm>
#include <cstdint>
#include <cstdio>

namespace nandscape {

namespace {

constexpr std::size_t longest_quotation = 80;
constexpr std::size_t longest_line = 4000;
constexpr std::size_t most_lines = 40;

// Returns the length in bytes of the UTF-8 character at the beginning of `text`, or 0 if the bytes are not valid UTF-8.
std::size_t character_bytes(std::string_view text) {
  const auto byte = [&](std::size_t k) { return static_cast<std::uint32_t>(static_cast<unsigned char>(text[k])); };
  const std::uint32_t lead = byte(0);
  if (lead < 0x80) return 1;
  const std::size_t size = lead >= 0xF0 ? 4 : lead >= 0xE0 ? 3 : 2;
  if (lead < 0xC2 || lead > 0xF4 || text.size() < size) return 0;
  std::uint32_t code = lead & (0xFFu >> (size + 1));
  for (std::size_t k = 1; k < size; ++k) {
    if ((byte(k) & 0xC0) != 0x80) return 0;
    code = code << 6 | (byte(k) & 0x3F);
  }
  const std::uint32_t least = size == 4 ? 0x10000 : size == 3 ? 0x800 : 0x80;
  const bool surrogate = code >= 0xD800 && code <= 0xDFFF;
  return code >= least && code <= 0x10FFFF && !surrogate ? size : 0;
}

bool is_control(std::string_view character) {
  const auto first = static_cast<unsigned char>(character[0]);
  const bool c1 = first == 0xC2 && static_cast<unsigned char>(character[1]) < 0xA0;
  return first < 0x20 || first == 0x7F || c1;
}

}  // namespace

std::string printable(std::string_view text, std::size_t longest) {
  std::string out;
  while (!text.empty()) {
    if (out.size() >= longest) return out + "...";
    const std::size_t size = character_bytes(text);
    const std::string_view character = text.substr(0, std::max<std::size_t>(size, 1));
    if (size == 0 || is_control(character)) {
      out += '?';
    } else {
      out += character;
    }
    text.remove_prefix(character.size());
  }
  return out;
}

std::string quotation(std::string_view text) { return "'" + printable(text, longest_quotation) + "'"; }

std::string shown(double number) {
  char text[32];
  std::snprintf(text, sizeof text, "%g", number);
  return text;
}

std::string message_text(std::string_view what) {
  std::string out;
  for (std::size_t line = 0; line < most_lines; ++line) {
    const std::size_t end = std::min(what.find('\n'), what.size());
    out += printable(what.substr(0, end), longest_line);
    if (end == what.size()) return out;
    out += '\n';
    what.remove_prefix(end + 1);
  }
  return out + "...";
}

}  // namespace nandscape

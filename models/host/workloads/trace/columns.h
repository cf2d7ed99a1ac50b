// SPDX-License-Identifier: Apache-2.0
// Columns of a trace line and the numbers in them. Numbers are decoded in place; nothing is allocated for a good line.
#pragma once

#include <charconv>
#include <cstdint>
#include <stdexcept>
#include <string>
#include <string_view>

namespace nandscape::host {

// A record that is not of its format: what is wrong with it. Who reads the file adds its name, the record and its
// place.
class MalformedRecord : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

[[noreturn]] void throw_missing(std::string_view meaning);
// "'abc' is no offset in bytes"
[[noreturn]] void throw_unreadable(std::string_view text, std::string_view meaning);

inline std::string_view trimmed(std::string_view text) {
  while (!text.empty() && (text.front() == ' ' || text.front() == '\t')) text.remove_prefix(1);
  while (!text.empty() && (text.back() == ' ' || text.back() == '\t')) text.remove_suffix(1);
  return text;
}

// Takes the next column of a line whose columns are separated by blanks; empty at its end.
inline std::string_view take_word(std::string_view& rest) {
  std::size_t begin = 0;
  while (begin < rest.size() && (rest[begin] == ' ' || rest[begin] == '\t')) ++begin;
  std::size_t end = begin;
  while (end < rest.size() && rest[end] != ' ' && rest[end] != '\t') ++end;
  const std::string_view word = rest.substr(begin, end - begin);
  rest.remove_prefix(end);
  return word;
}

// Takes the next column of a line whose columns are separated by `separator`, without blanks round it.
inline std::string_view take_field(std::string_view& rest, char separator = ',') {
  std::size_t end = 0;
  while (end < rest.size() && rest[end] != separator) ++end;
  const std::string_view field = rest.substr(0, end);
  rest.remove_prefix(end == rest.size() ? end : end + 1);
  return trimmed(field);
}

inline std::uint64_t parse_unsigned(std::string_view text, std::string_view meaning) {
  std::uint64_t value = 0;
  const char* end = text.data() + text.size();
  const auto [stop, fault] = std::from_chars(text.data(), end, value);
  if (fault != std::errc() || stop != end) throw_unreadable(text, meaning);
  return value;
}

// A time in units of `ns_per_unit` nanoseconds, with or without decimals, as nanoseconds. Exact: traces with absolute
// times have more digits than a double holds. Digits below a nanosecond are cut off.
std::uint64_t parse_time(std::string_view text, std::uint64_t ns_per_unit, std::string_view meaning);

// A count of sectors of 512 bytes, as bytes.
std::uint64_t parse_sectors(std::string_view text, std::string_view meaning);

// Compares without regard to case; `lower` is in lower case.
bool equals_ignoring_case(std::string_view text, std::string_view lower);

}  // namespace nandscape::host

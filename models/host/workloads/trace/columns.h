// SPDX-License-Identifier: Apache-2.0
// Splits a line of a trace into columns and parses the numbers in them. All functions work on the line itself, so a
// valid line causes no memory allocation.
#pragma once

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <stdexcept>
#include <string>
#include <string_view>

namespace nandscape::host {

// Thrown if a record does not match its format. The reader of the file adds the name of the file, the record and its
// position to the message.
class MalformedRecord : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

[[noreturn]] void throw_missing(std::string_view meaning);
// Throws MalformedRecord with a message, for example "'abc' is not a valid offset in bytes".
[[noreturn]] void throw_unreadable(std::string_view text, std::string_view meaning);

inline std::string_view trimmed(std::string_view text) {
  while (!text.empty() && (text.front() == ' ' || text.front() == '\t')) text.remove_prefix(1);
  while (!text.empty() && (text.back() == ' ' || text.back() == '\t')) text.remove_suffix(1);
  return text;
}

// Removes the next column from a line whose columns are separated by blanks, and returns it. Returns an empty string at
// the end of the line.
inline std::string_view take_word(std::string_view& rest) {
  std::size_t begin = 0;
  while (begin < rest.size() && (rest[begin] == ' ' || rest[begin] == '\t')) ++begin;
  std::size_t end = begin;
  while (end < rest.size() && rest[end] != ' ' && rest[end] != '\t') ++end;
  const std::string_view word = rest.substr(begin, end - begin);
  rest.remove_prefix(end);
  return word;
}

// Returns the position of the first separator, or the length of the line if it has none.
inline std::size_t end_of_field(std::string_view line, char separator) {
  std::size_t end = 0;
  while (end < line.size() && line[end] != separator) ++end;
  return end;
}

// Removes the next column from a line whose columns are separated by `separator`, and returns it without leading and
// trailing blanks.
inline std::string_view take_field(std::string_view& rest, char separator = ',') {
  const std::size_t end = end_of_field(rest, separator);
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

// Converts a time in units of `ns_per_unit` nanoseconds, with or without decimals, to nanoseconds. The conversion does
// not use doubles, because absolute times have more digits than a double can hold. Digits below a nanosecond are
// dropped.
std::uint64_t parse_time(std::string_view text, std::uint64_t ns_per_unit, std::string_view meaning);

// Converts a number of sectors of 512 bytes to bytes.
std::uint64_t parse_sectors(std::string_view text, std::string_view meaning);

inline char in_lower_case(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + ('a' - 'A')) : c; }

// Returns true if the strings are equal without regard to case. `lower` must be in lower case.
inline bool equals_ignoring_case(std::string_view text, std::string_view lower) {
  return std::ranges::equal(text, lower, {}, in_lower_case);
}

}  // namespace nandscape::host

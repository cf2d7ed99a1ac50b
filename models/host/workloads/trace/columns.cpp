// SPDX-License-Identifier: Apache-2.0
#include "host/workloads/trace/columns.h"

#include <limits>

namespace nandscape::host {
namespace {

constexpr std::uint64_t largest = std::numeric_limits<std::uint64_t>::max();

// Parses a time in scientific notation, for example "1.5e3", which some tools print because they store every number as
// a double. The result is rounded to the precision of a double.
std::uint64_t parse_scientific_time(std::string_view text, std::uint64_t ns_per_unit, std::string_view meaning) {
  double value = 0;
  const char* end = text.data() + text.size();
  const auto [stop, fault] = std::from_chars(text.data(), end, value);
  const double nanoseconds = value * static_cast<double>(ns_per_unit);
  if (fault != std::errc() || stop != end || !(nanoseconds >= 0 && nanoseconds < 0x1p64)) {
    throw_unreadable(text, meaning);
  }
  return static_cast<std::uint64_t>(nanoseconds);
}

}  // namespace

void throw_missing(std::string_view meaning) { throw MalformedRecord("the " + std::string(meaning) + " is missing"); }

void throw_unreadable(std::string_view text, std::string_view meaning) {
  if (text.empty()) throw_missing(meaning);
  throw MalformedRecord("'" + std::string(text.substr(0, 40)) + "' is not a valid " + std::string(meaning));
}

std::uint64_t parse_time(std::string_view text, std::uint64_t ns_per_unit, std::string_view meaning) {
  const char* end = text.data() + text.size();
  std::uint64_t whole = 0;
  auto [stop, fault] = std::from_chars(text.data(), end, whole);
  if (fault != std::errc()) throw_unreadable(text, meaning);
  if (stop != end && (*stop == 'e' || *stop == 'E')) return parse_scientific_time(text, ns_per_unit, meaning);
  std::uint64_t fraction = 0;
  if (stop != end && *stop == '.') {
    std::uint64_t place = ns_per_unit;
    for (++stop; stop != end && *stop >= '0' && *stop <= '9'; ++stop) {
      // A unit is a power of ten nanoseconds, so `place` is exact until it becomes 0.
      place /= 10;
      fraction += place * static_cast<std::uint64_t>(*stop - '0');
    }
    if (stop != end && (*stop == 'e' || *stop == 'E')) return parse_scientific_time(text, ns_per_unit, meaning);
  }
  if (stop != end || whole > (largest - fraction) / ns_per_unit) throw_unreadable(text, meaning);
  return whole * ns_per_unit + fraction;
}

std::uint64_t parse_sectors(std::string_view text, std::string_view meaning) {
  const std::uint64_t sectors = parse_unsigned(text, meaning);
  if (sectors > largest / 512) throw_unreadable(text, meaning);
  return sectors * 512;
}

}  // namespace nandscape::host

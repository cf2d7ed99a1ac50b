// SPDX-License-Identifier: Apache-2.0
#include "platform/config/units.h"

#include <array>
#include <cctype>
#include <charconv>
#include <cmath>
#include <cstdio>
#include <system_error>
#include <utility>

namespace nandscape {

namespace {

constexpr std::array units = {
    Unit{"ps", "ps", Dimension::time, 1},
    Unit{"ns", "ns", Dimension::time, 1e3},
    Unit{"us", "us", Dimension::time, 1e6},
    Unit{"ms", "ms", Dimension::time, 1e9},
    Unit{"s", "s", Dimension::time, 1e12},
    Unit{"minutes", "minutes", Dimension::time, 60e12},
    Unit{"hours", "hours", Dimension::time, 3600e12},
    Unit{"days", "days", Dimension::time, 86400e12},
    Unit{"weeks", "weeks", Dimension::time, 7 * 86400e12},
    Unit{"months", "months", Dimension::time, 365.25 / 12 * 86400e12},
    Unit{"years", "years", Dimension::time, 365.25 * 86400e12},
    Unit{"bytes", "bytes", Dimension::data, 1},
    Unit{"kb", "kB", Dimension::data, 1e3},
    Unit{"mb", "MB", Dimension::data, 1e6},
    Unit{"gb", "GB", Dimension::data, 1e9},
    Unit{"tb", "TB", Dimension::data, 1e12},
    Unit{"kib", "KiB", Dimension::data, 1024},
    Unit{"mib", "MiB", Dimension::data, 1048576},
    Unit{"gib", "GiB", Dimension::data, 1073741824},
    Unit{"tib", "TiB", Dimension::data, 1099511627776},
    Unit{"mt_s", "MT/s", Dimension::transfer_rate, 1},
    Unit{"gt_s", "GT/s", Dimension::transfer_rate, 1e3},
    Unit{"mb_s", "MB/s", Dimension::data_rate, 1e6},
    Unit{"gb_s", "GB/s", Dimension::data_rate, 1e9},
    Unit{"mib_s", "MiB/s", Dimension::data_rate, 1048576},
    Unit{"gib_s", "GiB/s", Dimension::data_rate, 1073741824},
    Unit{"khz", "kHz", Dimension::frequency, 1},
    Unit{"mhz", "MHz", Dimension::frequency, 1e3},
    Unit{"ghz", "GHz", Dimension::frequency, 1e6},
    Unit{"mv", "mV", Dimension::voltage, 1},
    Unit{"v", "V", Dimension::voltage, 1e3},
    Unit{"mw", "mW", Dimension::power, 1},
    Unit{"pj", "pJ", Dimension::energy, 1},
    Unit{"nj", "nJ", Dimension::energy, 1e3},
    Unit{"j", "J", Dimension::energy, 1e12},
    Unit{"percent", "%", Dimension::fraction, 1},
    Unit{"", "", Dimension::fraction, 100},
    Unit{"c", "°C", Dimension::temperature, 1},
};

constexpr std::array<std::pair<std::string_view, std::string_view>, 25> other_spellings = {{
    {"b", "bytes"},    {"byte", "bytes"}, {"k", "kib"},        {"m", "mib"},       {"g", "gib"},
    {"sec", "s"},      {"second", "s"},   {"seconds", "s"},    {"min", "minutes"}, {"minute", "minutes"},
    {"h", "hours"},    {"hour", "hours"}, {"d", "days"},       {"day", "days"},    {"w", "weeks"},
    {"week", "weeks"}, {"mo", "months"},  {"month", "months"}, {"y", "years"},     {"yr", "years"},
    {"year", "years"}, {"%", "percent"},  {"mtps", "mt_s"},    {"mt", "mt_s"},     {"degc", "c"},
}};

// Normalises the spelling of a unit: converts it to lower case, '/' to '_' and the letter mu to 'u', and removes the
// degree sign.
std::string folded(std::string_view spelling) {
  std::string out;
  for (std::size_t k = 0; k < spelling.size(); ++k) {
    const std::string_view letter = spelling.substr(k, 2);
    if (letter == "\xC2\xB5" || letter == "\xCE\xBC") {
      out += 'u';
      ++k;
    } else if (letter == "\xC2\xB0") {
      ++k;
    } else {
      out += spelling[k] == '/' ? '_' : static_cast<char>(std::tolower(static_cast<unsigned char>(spelling[k])));
    }
  }
  return out;
}

const Unit* unit_named(std::string_view name) {
  for (const Unit& unit : units) {
    if (unit.name == name) return &unit;
  }
  return nullptr;
}

}  // namespace

const Unit* find_unit(std::string_view spelling) {
  const std::string name = folded(spelling);
  if (name.empty()) return nullptr;
  for (const auto& [other, standard] : other_spellings) {
    if (name == other) return unit_named(standard);
  }
  return unit_named(name);
}

std::string unit_symbol(std::string_view name) {
  const Unit* unit = unit_named(name);
  return std::string(unit != nullptr ? unit->symbol : name);
}

std::string number_text(double number) {
  constexpr double very_large = 1e15;
  const bool plain = std::trunc(number) == number && std::abs(number) < very_large;
  std::array<char, 32> digits;
  const auto format = plain ? std::chars_format::fixed : std::chars_format::general;
  const auto end = std::to_chars(digits.data(), digits.data() + digits.size(), number, format).ptr;
  return std::string(digits.data(), end);
}

std::optional<Quantity> parse_quantity(std::string_view text) {
  double number = 0;
  const char* end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, number);
  if (error != std::errc()) return std::nullopt;
  std::string_view rest(stop, static_cast<std::size_t>(end - stop));
  while (rest.starts_with(' ')) rest.remove_prefix(1);
  const Unit* unit = find_unit(rest);
  if (unit == nullptr) return std::nullopt;
  return Quantity{number, unit};
}

std::optional<std::string> convert(const Quantity& quantity, std::string_view to_unit) {
  const Unit* target = unit_named(to_unit);
  if (target == nullptr || target->dimension != quantity.unit->dimension) return std::nullopt;
  std::array<char, 32> digits;
  const double number = quantity.number * quantity.unit->factor / target->factor;
  std::snprintf(digits.data(), digits.size(), "%.12g", number);
  return digits.data();
}

}  // namespace nandscape

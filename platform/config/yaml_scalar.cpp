// SPDX-License-Identifier: Apache-2.0
#include "platform/config/yaml_scalar.h"

#include <charconv>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <system_error>

namespace nandscape {

namespace {

bool is_digit(char c) { return c >= '0' && c <= '9'; }

// Returns the text without the underscores that stand between two digits.
std::string without_grouping(std::string_view text) {
  std::string out;
  for (std::size_t k = 0; k < text.size(); ++k) {
    const bool groups =
        text[k] == '_' && k > 0 && k + 1 < text.size() && is_digit(text[k - 1]) && is_digit(text[k + 1]);
    if (!groups) out += text[k];
  }
  return out;
}

template <class Number, class... Format>
std::optional<Number> parse_whole(std::string_view text, Format... format) {
  Number number{};
  const char* end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, number, format...);
  if (error != std::errc() || stop != end) return std::nullopt;
  return number;
}

// Parses hexadecimal and octal integers such as "0x1F" and "0o17". Neither form may have a sign.
std::optional<std::int64_t> parse_based(std::string_view text) {
  if (text.size() < 3 || text[0] != '0' || text[2] == '-') return std::nullopt;
  if (text[1] == 'x') return parse_whole<std::int64_t>(text.substr(2), 16);
  if (text[1] == 'o') return parse_whole<std::int64_t>(text.substr(2), 8);
  return std::nullopt;
}

}  // namespace

Value resolve_scalar(std::string_view text) {
  if (text.empty() || text == "~" || text == "null" || text == "Null" || text == "NULL") return Value();
  if (text == "true" || text == "True" || text == "TRUE") return Value(true);
  if (text == "false" || text == "False" || text == "FALSE") return Value(false);
  if (const auto number = parse_based(text)) return Value(*number);

  const bool signed_number = text[0] == '+' || text[0] == '-';
  const std::string_view magnitude = text.substr(signed_number ? 1 : 0);
  const double sign = text[0] == '-' ? -1 : 1;
  if (magnitude == ".inf" || magnitude == ".Inf" || magnitude == ".INF") {
    return Value(sign * std::numeric_limits<double>::infinity());
  }
  if (text == ".nan" || text == ".NaN" || text == ".NAN") return Value(std::numeric_limits<double>::quiet_NaN());

  // from_chars would also accept "inf", "nan" and a second sign.
  const bool starts_as_number =
      !magnitude.empty() &&
      (is_digit(magnitude[0]) || (magnitude[0] == '.' && magnitude.size() > 1 && is_digit(magnitude[1])));
  if (!starts_as_number) return Value(text);
  const std::string digits = without_grouping(text.substr(text[0] == '+' ? 1 : 0));
  if (const auto number = parse_whole<std::int64_t>(digits)) return Value(*number);
  if (const auto number = parse_whole<double>(digits)) return Value(*number);
  return Value(text);
}

}  // namespace nandscape

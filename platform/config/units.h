// SPDX-License-Identifier: Apache-2.0
// Units as spelled in keys (us, mt_s, bytes) and as written by users (µs, MT/s, KiB). Error messages use them to
// suggest the right value. Configurations hold plain numbers: the unit is in the key.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace nandscape {

enum class Dimension { time, data, transfer_rate, data_rate, frequency, voltage, power, energy, fraction, temperature };

struct Unit {
  std::string_view name;    // as in a key's suffix; empty for a plain fraction
  std::string_view symbol;  // as in text
  Dimension dimension;
  double factor;  // size in the smallest unit of the dimension
};

// The unit that a user meant with "us", "µs", "MT/s", "%"; nullptr if it is unknown.
const Unit* find_unit(std::string_view spelling);

// Returns "MT/s" for "mt_s", and an unknown name unchanged.
std::string unit_symbol(std::string_view name);

// The number for messages: an integer has all its digits, unless it is very large.
std::string number_text(double number);

struct Quantity {
  double number;
  const Unit* unit;
};

// Parses "700us", "0.7 ms" or "7 %"; nothing if the text is not a number with a unit.
std::optional<Quantity> parse_quantity(std::string_view text);

// The number in another unit, without rounding noise; nothing if the dimensions differ.
std::optional<std::string> convert(const Quantity& quantity, std::string_view to_unit);

}  // namespace nandscape

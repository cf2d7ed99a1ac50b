// SPDX-License-Identifier: Apache-2.0
// Units as they are spelled in keys (us, mt_s, bytes) and as users write them (µs, MT/s, KiB). Error messages use them
// to suggest the right value. The values of a configuration are plain numbers, because the unit is part of the key.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace nandscape {

enum class Dimension { time, data, transfer_rate, data_rate, frequency, voltage, power, energy, fraction, temperature };

struct Unit {
  std::string_view name;    // spelling in the suffix of a key; empty for a plain fraction
  std::string_view symbol;  // spelling in messages
  Dimension dimension;
  double factor;  // size in the smallest unit of the dimension
};

// Returns the unit that a user means by "us", "µs", "MT/s" or "%". Returns null for an unknown unit.
const Unit* find_unit(std::string_view spelling);

// Returns the symbol of a unit, such as "MT/s" for "mt_s". An unknown name is returned unchanged.
std::string unit_symbol(std::string_view name);

// Formats a number for messages. An integer is written with all its digits, unless it is very large.
std::string number_text(double number);

struct Quantity {
  double number;
  const Unit* unit;
};

// Parses a quantity such as "700us", "0.7 ms" or "7 %". Returns nothing if the text is not a number with a unit.
std::optional<Quantity> parse_quantity(std::string_view text);

// Converts the number to another unit, without rounding noise. Returns nothing if the units have different dimensions.
std::optional<std::string> convert(const Quantity& quantity, std::string_view to_unit);

}  // namespace nandscape

// SPDX-License-Identifier: Apache-2.0
// Units as keys spell them (us, mt_s, bytes) and as users write them (µs, MT/s, KiB), for error messages that say what
// to write instead. Configurations themselves hold plain numbers: the unit is in the key.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace nandscape {

enum class Dimension { time, data, transfer_rate, data_rate, frequency, voltage, power, energy, fraction, temperature };

struct Unit {
  std::string_view name;    // as in a key's suffix; empty for a plain fraction
  std::string_view symbol;  // as in a text
  Dimension dimension;
  double factor;  // to the smallest unit of the dimension
};

// The unit that a user meant with "us", "µs", "MT/s", "%"; nullptr when it is none.
const Unit* find_unit(std::string_view spelling);

// "MT/s" for "mt_s"; a name that is no known unit stands for itself.
std::string unit_symbol(std::string_view name);

// The number as messages show it: all digits of an integer, unless it is very large.
std::string number_text(double number);

struct Quantity {
  double number;
  const Unit* unit;
};

// "700us", "0.7 ms" and "7 %"; nothing when the text is no number followed by a unit.
std::optional<Quantity> parse_quantity(std::string_view text);

// The number that says the same in another unit of the same dimension, in digits free of rounding noise.
std::optional<std::string> convert(const Quantity& quantity, std::string_view to_unit);

}  // namespace nandscape

// SPDX-License-Identifier: Apache-2.0
#include "platform/config/value_checks.h"

#include <cmath>
#include <string_view>
#include <vector>

#include "core/message_text.h"
#include "core/nearest_name.h"
#include "platform/config/renamed_keys.h"
#include "platform/config/units.h"
#include "platform/config/yaml_writer.h"

namespace nandscape {

namespace {

std::string with_symbol(const std::string& number, const SchemaNode& node) {
  return node.unit.empty() ? number : number + " " + unit_symbol(node.unit);
}

// Returns the name of the binary unit that corresponds to a decimal unit of data, such as "mib" for "mb". Returns
// nothing for any other unit.
std::optional<std::string> binary_counterpart(const Unit& unit) {
  if (unit.dimension != Dimension::data || unit.name.size() != 2) return std::nullopt;
  return std::string{unit.name[0], 'i', unit.name[1]};
}

// Explains a value with a unit, such as "700us". The name of the key already contains the unit, so the value must be a
// plain number.
Fault check_for_unit(const std::string& text, const SchemaNode& node) {
  const auto quantity = parse_quantity(text);
  if (!quantity) return std::nullopt;
  std::string fault = quotation(text) + " carries a unit; ";
  fault += node.unit.empty() ? "this parameter is a plain number"
                             : "the key already has the unit, " + unit_symbol(node.unit);
  const auto number = convert(*quantity, node.unit);
  if (!number) return fault + ", and " + std::string(quantity->unit->symbol) + " cannot be converted";
  fault += ": write " + *number;
  // Also suggests the binary unit, since sizes of flash and memory are powers of two even if they are written with a
  // decimal unit.
  if (const auto binary = binary_counterpart(*quantity->unit)) {
    const auto in_binary = convert({quantity->number, find_unit(*binary)}, node.unit);
    if (in_binary) fault += ", or " + *in_binary + " if " + unit_symbol(*binary) + " is meant";
  }
  return fault;
}

Fault expected(const std::string& what, const Value& given, const SchemaNode& node) {
  if (given.is_null()) {
    return "has no value; give one, or leave the key out for the default, " + describe_value(node.standard);
  }
  if (given.text() != nullptr) {
    if (auto fault = check_for_unit(*given.text(), node)) return fault;
  }
  return "expected " + what + ", got " + describe_value(given);
}

Fault out_of_range(const Value& given, const SchemaNode& node) {
  return with_symbol(describe_value(given), node) + " is out of range, " + node.range_text(true);
}

bool in_range(double number, const SchemaNode& node) {
  return (node.low.is_null() || number >= node.low.number()) && (node.high.is_null() || number <= node.high.number());
}

}  // namespace

Fault check_boolean(const Value& given, const SchemaNode& node, bool& value) {
  if (const bool* boolean = given.boolean()) {
    value = *boolean;
    return std::nullopt;
  }
  return expected("true or false", given, node);
}

Fault check_integer(const Value& given, const SchemaNode& node, std::int64_t& value) {
  // A larger real number may be the result of rounding a different integer.
  constexpr double largest_exact = 9007199254740992.0;
  constexpr double past_integers = 9223372036854775808.0;
  if (const double* real = given.real()) {
    if (std::isnan(*real) || (std::abs(*real) < largest_exact && *real != std::trunc(*real))) {
      return expected("a whole number", given, node);
    }
    if (!in_range(*real, node)) return out_of_range(given, node);
    if (std::abs(*real) >= past_integers) return describe_value(given) + " does not fit in 64 bits with a sign";
    if (std::abs(*real) > largest_exact) return describe_value(given) + " may have been rounded; write all its digits";
    value = static_cast<std::int64_t>(*real);
    return std::nullopt;
  }
  const std::int64_t* integer = given.integer();
  if (integer == nullptr) return expected("a whole number", given, node);
  const bool low_enough = node.high.is_null() || *integer <= *node.high.integer();
  const bool high_enough = node.low.is_null() || *integer >= *node.low.integer();
  if (!low_enough || !high_enough) return out_of_range(given, node);
  value = *integer;
  return std::nullopt;
}

Fault check_real(const Value& given, const SchemaNode& node, double& value) {
  if (given.integer() == nullptr && given.real() == nullptr) return expected("a number", given, node);
  const double number = given.number();
  if (!std::isfinite(number)) return expected("a finite number", given, node);
  if (!in_range(number, node)) return out_of_range(given, node);
  value = number;
  return std::nullopt;
}

Fault check_text(const Value& given, const SchemaNode& node, std::string& value) {
  if (const std::string* text = given.text()) {
    value = *text;
    return std::nullopt;
  }
  const bool could_be_quoted = !given.is_null() && given.list_items() == nullptr && given.map_items() == nullptr;
  const Fault fault = expected("text", given, node);
  return could_be_quoted ? *fault + "; put it in quotes" : fault;
}

Fault check_choice(const Value& given, const SchemaNode& node, std::string& value) {
  const std::string* text = given.text();
  if (text == nullptr) return expected("one of " + node.range_text(false), given, node);
  std::vector<std::string> names;
  for (const SchemaNode::Choice& choice : node.choices) names.push_back(choice.name);
  for (const std::string& name : names) {
    if (name != *text) continue;
    value = name;
    return std::nullopt;
  }
  if (const std::string keys = keys_for_value(node.path, *text); !keys.empty()) {
    return quotation(*text) + " is now " + keys;
  }
  const std::string nearest = nearest_name(*text, names);
  const std::string hint = nearest.empty() ? "" : "; did you mean " + nearest + "?";
  return quotation(*text) + " is not one of " + node.range_text(false) + hint;
}

std::string describe_value(const Value& value) {
  if (value.is_null()) return "nothing";
  if (value.map_items() != nullptr) return "a group of keys";
  if (value.list_items() != nullptr) return "a list";
  if (const std::string* text = value.text()) return quotation(*text);
  if (const double* real = value.real()) return number_text(*real);
  std::string written = write_yaml(value);
  written.pop_back();
  return written;
}

}  // namespace nandscape

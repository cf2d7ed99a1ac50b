// SPDX-License-Identifier: Apache-2.0
#include "platform/config/yaml_writer.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <cmath>
#include <cstdint>
#include <string_view>

#include "platform/config/yaml_scalar.h"

namespace nandscape {

namespace {

bool is_plain_text(const std::string& text) {
  constexpr std::string_view punctuation = "_./+-";
  // Words that readers of YAML 1.1, such as PyYAML, interpret as booleans.
  constexpr std::array<std::string_view, 6> booleans = {"y", "n", "yes", "no", "on", "off"};
  const auto plain_letter = [&](char c) {
    return std::isalnum(static_cast<unsigned char>(c)) != 0 || punctuation.find(c) != std::string_view::npos;
  };
  if (text.empty() || text[0] == '-' || !std::all_of(text.begin(), text.end(), plain_letter)) return false;
  std::string lower = text;
  for (char& c : lower) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  if (std::find(booleans.begin(), booleans.end(), lower) != booleans.end()) return false;
  return resolve_scalar(text).text() != nullptr;
}

// Writes a string. If it must be quoted, it is written as a JSON string, which is also valid YAML.
std::string write_text(const std::string& text) { return is_plain_text(text) ? text : Value(text).to_json(0); }

std::string write_real(double number) {
  if (std::isnan(number)) return ".nan";
  if (std::isinf(number)) return number > 0 ? ".inf" : "-.inf";
  // The fraction shows that the number is a real and not an integer.
  if (std::trunc(number) == number && std::abs(number) < 1e15) {
    return std::to_string(static_cast<std::int64_t>(number)) + ".0";
  }
  return Value(number).to_json(0);
}

bool is_group(const Value& value) { return value.map_items() != nullptr && !value.map_items()->empty(); }

bool holds_groups(const Value& value) {
  const Value::List* items = value.list_items();
  return items != nullptr && std::any_of(items->begin(), items->end(), is_group);
}

// Writes a key with its colon. YAML readers search for the colon of a plain key only within 1024 bytes. A longer key is
// therefore marked with '?', and its colon follows after `break_line`.
std::string write_key(const std::string& key, const std::string& break_line) {
  constexpr std::size_t longest_unmarked = 1024;
  const std::string text = write_text(key);
  return text.size() > longest_unmarked ? "? " + text + break_line + ":" : text + ":";
}

std::string write_inline(const Value& value) {
  if (const std::string* text = value.text()) return write_text(*text);
  if (const double* number = value.real()) return write_real(*number);
  if (const Value::List* items = value.list_items()) {
    std::string out = "[";
    for (const Value& item : *items) {
      if (out.size() > 1) out += ", ";
      out += write_inline(item);
    }
    return out + "]";
  }
  if (is_group(value)) {
    std::string out = "{";
    for (const auto& [key, child] : *value.map_items()) {
      if (out.size() > 1) out += ", ";
      out += write_key(key, " ") + ' ' + write_inline(child);
    }
    return out + "}";
  }
  return value.to_json(0);
}

// Writes a value as a block of lines. Every line begins with `indent`, except the first, which continues the line that
// the caller has begun.
void write_block(std::string& out, const Value& value, const std::string& indent) {
  if (is_group(value)) {
    bool first = true;
    for (const auto& [key, child] : *value.map_items()) {
      if (!first) out += indent;
      first = false;
      out += write_key(key, "\n" + indent);
      if (is_group(child) || holds_groups(child)) {
        out += "\n" + indent + "  ";
        write_block(out, child, indent + "  ");
      } else {
        out += ' ';
        out += write_inline(child);
        out += '\n';
      }
    }
  } else if (holds_groups(value)) {
    bool first = true;
    for (const Value& item : *value.list_items()) {
      if (!first) out += indent;
      first = false;
      out += "- ";
      write_block(out, item, indent + "  ");
    }
  } else {
    out += write_inline(value) + "\n";
  }
}

}  // namespace

std::string write_yaml(const Value& value) {
  std::string out;
  write_block(out, value, "");
  return out;
}

}  // namespace nandscape

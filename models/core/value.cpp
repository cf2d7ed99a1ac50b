// SPDX-License-Identifier: Apache-2.0
#include "core/value.h"

#include <array>
#include <charconv>
#include <cmath>
#include <stdexcept>

namespace nandscape {

const Value* Value::find(std::string_view key) const {
  if (const Map* map = map_items()) {
    for (const auto& [name, value] : *map) {
      if (name == key) return &value;
    }
  }
  return nullptr;
}

Value* Value::find(std::string_view key) { return const_cast<Value*>(std::as_const(*this).find(key)); }

Value& Value::operator[](std::string_view key) {
  if (is_null()) data_ = Map{};
  if (Value* found = find(key)) return *found;
  return std::get<Map>(data_).emplace_back(std::string(key), Value()).second;
}

const Value& Value::at(std::string_view dotted_path) const {
  const Value* value = this;
  for (std::size_t begin = 0; begin <= dotted_path.size();) {
    const std::size_t end = std::min(dotted_path.find('.', begin), dotted_path.size());
    value = value->find(dotted_path.substr(begin, end - begin));
    if (value == nullptr) {
      throw std::out_of_range("no value '" + std::string(dotted_path.substr(0, end)) + "'");
    }
    begin = end + 1;
  }
  return *value;
}

double Value::number() const {
  if (const std::int64_t* i = integer()) return static_cast<double>(*i);
  if (const double* d = real()) return *d;
  throw std::out_of_range("not a number");
}

bool operator==(const Value& a, const Value& b) {
  const double *one = a.real(), *other = b.real();
  if (one != nullptr && other != nullptr && std::isnan(*one) && std::isnan(*other)) return true;
  return a.data_ == b.data_;
}

std::string Value::to_json(int indent) const {
  std::string out;
  write_json(out, indent, 0);
  return out;
}

namespace {

template <class Number>
void append_number(std::string& out, Number number) {
  std::array<char, 32> digits;
  const auto end = std::to_chars(digits.data(), digits.data() + digits.size(), number).ptr;
  out.append(digits.data(), end);
}

void append_quoted(std::string& out, std::string_view text) {
  constexpr std::string_view hex = "0123456789abcdef";
  out += '"';
  for (const char c : text) {
    switch (c) {
      case '"': out += "\\\""; break;
      case '\\': out += "\\\\"; break;
      case '\n': out += "\\n"; break;
      case '\t': out += "\\t"; break;
      default:
        if (static_cast<unsigned char>(c) < 0x20) {
          out += "\\u00";
          out += hex[static_cast<unsigned char>(c) >> 4];
          out += hex[static_cast<unsigned char>(c) & 15];
        } else {
          out += c;
        }
    }
  }
  out += '"';
}

void append_line_break(std::string& out, int indent, int depth) {
  if (indent == 0) return;
  out += '\n';
  out.append(static_cast<std::size_t>(indent * depth), ' ');
}

}  // namespace

void Value::write_json(std::string& out, int indent, int depth) const {
  if (is_null()) {
    out += "null";
  } else if (const bool* b = boolean()) {
    out += *b ? "true" : "false";
  } else if (const std::int64_t* i = integer()) {
    append_number(out, *i);
  } else if (const double* d = real()) {
    if (!std::isfinite(*d)) {
      out += "null";
      return;
    }
    const std::size_t begin = out.size();
    append_number(out, *d);
    // Adds a decimal point, so that readers that distinguish integers from reals read a real.
    if (out.find_first_of(".e", begin) == std::string::npos) out += ".0";
  } else if (const std::string* s = text()) {
    append_quoted(out, *s);
  } else if (const List* items = list_items()) {
    out += '[';
    for (std::size_t k = 0; k < items->size(); ++k) {
      if (k != 0) out += ',';
      append_line_break(out, indent, depth + 1);
      (*items)[k].write_json(out, indent, depth + 1);
    }
    if (!items->empty()) append_line_break(out, indent, depth);
    out += ']';
  } else if (const Map* map = map_items()) {
    out += '{';
    for (std::size_t k = 0; k < map->size(); ++k) {
      if (k != 0) out += ',';
      append_line_break(out, indent, depth + 1);
      append_quoted(out, (*map)[k].first);
      out += indent == 0 ? ":" : ": ";
      (*map)[k].second.write_json(out, indent, depth + 1);
    }
    if (!map->empty()) append_line_break(out, indent, depth);
    out += '}';
  }
}

}  // namespace nandscape

// SPDX-License-Identifier: Apache-2.0
// A tree of plain values, as in configuration files, snapshots of statistics and JSON documents. 64-bit integers and
// doubles are distinct types and are never converted to strings and back.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "core/error.h"

namespace nandscape {

// Limits for a tree that is read from a file: the total number of values, and the nesting depth of groups and lists. No
// reasonable configuration reaches these limits. They stop files that refer to themselves or expand without end.
constexpr std::size_t largest_tree = 100'000;
constexpr std::size_t deepest_tree = 100;

class Value {
 public:
  using List = std::vector<Value>;
  using Map = std::vector<std::pair<std::string, Value>>;  // in order of insertion

  Value() = default;
  Value(bool v) : data_(v) {}
  Value(int v) : data_(std::int64_t{v}) {}
  Value(std::int64_t v) : data_(v) {}
  Value(std::uint64_t v) : data_(static_cast<std::int64_t>(v)) {}
  Value(std::uint32_t v) : data_(std::int64_t{v}) {}
  Value(double v) : data_(v) {}
  Value(std::string v) : data_(std::move(v)) {}
  Value(std::string_view v) : data_(std::string(v)) {}
  Value(const char* v) : data_(std::string(v)) {}
  Value(List v) : data_(std::move(v)) {}
  Value(Map v) : data_(std::move(v)) {}
  static Value map() { return Value(Map{}); }
  static Value list() { return Value(List{}); }

  bool is_null() const { return std::holds_alternative<std::monostate>(data_); }
  const bool* boolean() const { return std::get_if<bool>(&data_); }
  const std::int64_t* integer() const { return std::get_if<std::int64_t>(&data_); }
  const double* real() const { return std::get_if<double>(&data_); }
  const std::string* text() const { return std::get_if<std::string>(&data_); }
  const List* list_items() const { return std::get_if<List>(&data_); }
  const Map* map_items() const { return std::get_if<Map>(&data_); }
  List* list_items() { return std::get_if<List>(&data_); }
  Map* map_items() { return std::get_if<Map>(&data_); }

  // Returns the entry of a map, or nullptr if this value is not a map or the map has no such key.
  const Value* find(std::string_view key) const;
  Value* find(std::string_view key);
  // Returns the entry of a map. If the key is missing, the entry is created. If this value is null, it becomes a map
  // first.
  Value& operator[](std::string_view key);
  // Returns the value at a dotted path, for example "host.read.latency_us.p99". Throws std::out_of_range with the name
  // of the missing part if there is no such value.
  const Value& at(std::string_view dotted_path) const;
  // Returns an integer or a real as a double. Throws std::out_of_range if the value has another type.
  double number() const;

  // The location in the user's input from which the value was read. Empty for all other values.
  SourceLocation source;

  // Returns the tree as JSON. Doubles are written with the fewest digits that are read back as the same value.
  // Infinities and NaN are written as null.
  std::string to_json(int indent = 2) const;

  // Compares the data and ignores the source. NaN, which stands for an unknown figure, equals NaN.
  friend bool operator==(const Value& a, const Value& b);

 private:
  void write_json(std::string& out, int indent, int depth) const;

  std::variant<std::monostate, bool, std::int64_t, double, std::string, List, Map> data_;
};

}  // namespace nandscape

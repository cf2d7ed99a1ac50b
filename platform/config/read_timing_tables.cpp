// SPDX-License-Identifier: Apache-2.0
#include "platform/config/read_timing_tables.h"

#include <algorithm>
#include <cmath>
#include <cstdint>

#include "core/nearest_name.h"
#include "core/value.h"
#include "platform/config/named_files.h"
#include "platform/config/units.h"
#include "platform/config/value_checks.h"
#include "platform/config/yaml_reader.h"

namespace nandscape {

namespace {

namespace fs = std::filesystem;

constexpr const char* cycles_key = "pe_cycles";
constexpr const char* months_key = "retention_months";
constexpr const char* reductions_key = "precharge_reduction";
constexpr std::int64_t whole_phase = 255;

NamedFiles& tables() {
  static NamedFiles files("read-timing table", NANDSCAPE_SOURCE_DATA_FOLDER "/read_timing");
  return files;
}

const Value::List& list_of(const Value& value, const char* key) {
  if (value.list_items() == nullptr) {
    throw ConfigError(value.source, key, "is a list in brackets, not " + describe_value(value));
  }
  return *value.list_items();
}

// Reads the numbers along one side of the grid, which must be in ascending order.
std::vector<double> side(const Value& value, const char* key) {
  std::vector<double> numbers;
  for (const Value& item : list_of(value, key)) {
    const bool is_number = item.integer() != nullptr || item.real() != nullptr;
    if (!is_number || !std::isfinite(item.number()) || item.number() < 0) {
      throw ConfigError(item.source, key, "are numbers from 0 on, not " + describe_value(item));
    }
    if (!numbers.empty() && item.number() <= numbers.back()) {
      throw ConfigError(item.source, key,
                        "must ascend, but " + number_text(item.number()) + " follows " + number_text(numbers.back()));
    }
    numbers.push_back(item.number());
  }
  if (numbers.empty()) throw ConfigError(value.source, key, "has at least one number");
  return numbers;
}

std::uint8_t reduction_of(const Value& value) {
  const std::int64_t* number = value.integer();
  if (number == nullptr || *number < 0 || *number > whole_phase) {
    throw ConfigError(value.source, reductions_key,
                      "are whole numbers from 0 to " + std::to_string(whole_phase) + ", not " + describe_value(value));
  }
  return static_cast<std::uint8_t>(*number);
}

void check_keys(const Value& tree, const SourceLocation& whole) {
  if (tree.map_items() == nullptr) throw ConfigError(whole, "", "is not a group of keys");
  const std::vector<std::string> keys = {cycles_key, months_key, reductions_key};
  for (const auto& [key, value] : *tree.map_items()) {
    if (std::ranges::find(keys, key) != keys.end()) continue;
    const std::string nearest = nearest_name(key, keys);
    throw ConfigError(
        value.source, key,
        "is not a key of a read-timing table" + (nearest.empty() ? "" : "; did you mean " + nearest + "?"));
  }
  for (const std::string& key : keys) {
    if (tree.find(key) == nullptr) throw ConfigError(whole, key, "is missing");
  }
}

controller::ReadTimingTable read_table(const fs::path& file) {
  const Value tree = read_yaml_file(file);
  check_keys(tree, {file.string(), 0});
  const std::vector<double> cycles = side(*tree.find(cycles_key), cycles_key);
  const std::vector<double> months = side(*tree.find(months_key), months_key);
  const Value& grid = *tree.find(reductions_key);
  const Value::List& rows = list_of(grid, reductions_key);
  if (rows.size() != cycles.size()) {
    throw ConfigError(
        grid.source, reductions_key,
        "has " + std::to_string(rows.size()) + " rows for " + std::to_string(cycles.size()) + " numbers of P/E cycles");
  }
  std::vector<controller::ReadTimingTable::Entry> entries;
  for (std::size_t row = 0; row < rows.size(); ++row) {
    const Value::List& reductions = list_of(rows[row], reductions_key);
    if (reductions.size() != months.size()) {
      throw ConfigError(rows[row].source, reductions_key,
                        "the row of " + number_text(cycles[row]) + " P/E cycles has " +
                            std::to_string(reductions.size()) + " numbers for " + std::to_string(months.size()) +
                            " ages");
    }
    for (std::size_t column = 0; column < months.size(); ++column) {
      entries.push_back({cycles[row], months[column], reduction_of(reductions[column])});
    }
  }
  return controller::ReadTimingTable(std::move(entries));
}

}  // namespace

controller::ReadTimingTable load_read_timing_table(const std::string& name_or_path, const SourceLocation& where,
                                                   const std::string& path) {
  return read_table(tables().find(name_or_path, "", where, path));
}

std::vector<std::pair<std::string, std::string>> list_read_timing_tables() { return tables().list(); }

void set_read_timing_table_folder(fs::path folder) { tables().set_folder(std::move(folder)); }

}  // namespace nandscape

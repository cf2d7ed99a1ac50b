// SPDX-License-Identifier: Apache-2.0
#include "platform/config/code_tables.h"

#include <algorithm>
#include <array>
#include <cstdio>
#include <limits>
#include <stdexcept>
#include <string_view>
#include <system_error>

#include "core/nearest_name.h"
#include "ecc/measurement/code_table.h"
#include "platform/config/named_files.h"
#include "platform/config/replaced_file.h"
#include "platform/config/yaml_reader.h"
#include "platform/config/yaml_writer.h"

namespace nandscape {

namespace {

namespace fs = std::filesystem;

// The key for the number of errors that the code of a plug-in always corrects. The file contains it because the plug-in
// is not loaded when its measurement is read.
constexpr std::string_view guaranteed_key = "guaranteed_errors";
constexpr std::size_t columns = 8;
constexpr std::string_view rows_comment =
    "# Columns: sensing levels of the read, raw errors of a codeword, raw errors usual for its channel, frames "
    "measured,\n"
    "# failed frames, failed frames reported as corrected, sum of the decoder's iterations, sum of their squares.\n";

std::uint64_t whole_number(const Value& value, const std::string& path, std::uint64_t most) {
  const std::int64_t* number = value.integer();
  if (number == nullptr || *number < 0 || static_cast<std::uint64_t>(*number) > most) {
    throw ConfigError(value.source, path, "is not an integer from 0 to " + std::to_string(most));
  }
  return static_cast<std::uint64_t>(*number);
}

constexpr auto any_number = static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max());
constexpr std::uint64_t any_32_bits = std::numeric_limits<std::uint32_t>::max();

ecc::Code code_of(const Value& value) {
  const std::string* name = value.text();
  if (name == nullptr) throw ConfigError(value.source, "code", "is the name of a code");
  try {
    return ecc::code_named(*name);
  } catch (const std::invalid_argument& error) {
    throw ConfigError(value.source, "code", error.what());
  }
}

void read_row(ecc::CodeMeasurement& measurement, const Value& row) {
  const Value::List* items = row.list_items();
  if (items == nullptr || items->size() != columns) {
    throw ConfigError(row.source, "rows", "a row has " + std::to_string(columns) + " numbers in brackets");
  }
  std::array<std::uint64_t, columns> n{};
  for (std::size_t k = 0; k < columns; ++k) n[k] = whole_number((*items)[k], "rows", any_number);
  const auto [levels, errors, channel_errors, frames, failures, miscorrections, iterations, squared_iterations] = n;
  if (levels < 1 || levels > most_sensing_levels) {
    throw ConfigError(row.source, "rows", "a read has 1 to " + std::to_string(most_sensing_levels) + " sensing levels");
  }
  if (errors > measurement.codeword_bits) {
    throw ConfigError(row.source, "rows", "there are more errors than bits in a codeword");
  }
  if (frames == 0 || failures > frames || miscorrections > failures) {
    throw ConfigError(
        row.source, "rows",
        "a row needs frames, at most as many failures, and of these at most as many reported as corrected");
  }
  const auto errors_32 = static_cast<std::uint32_t>(errors), levels_32 = static_cast<std::uint32_t>(levels);
  const ecc::MeasuredFrames measured = {frames, failures, miscorrections, iterations, squared_iterations};
  bool added = false;
  if (channel_errors == errors) {
    added = measurement.by_levels[levels_32].insert({errors_32, measured}).second;
  } else {
    if (channel_errors > errors)
      throw ConfigError(row.source, "rows", "the errors usual for the channel exceed the errors of the codeword");
    const ecc::OffChannelFrames off = {errors_32, static_cast<std::uint32_t>(channel_errors), measured};
    added = measurement.off_channel.insert({levels_32, off}).second;
  }
  if (!added) throw ConfigError(row.source, "rows", "frames of these levels and errors were given before");
}

std::string text_of(const char* format, auto... values) {
  std::array<char, 200> text{};
  std::snprintf(text.data(), text.size(), format, values...);
  return text.data();
}

// Returns a comment that gives, for each number of sensing levels, the RBER at which frames fail with the probabilities
// 1e-2 to 1e-5.
std::string summary(const ecc::CodeMeasurement& measurement) {
  std::string text;
  for (const auto& [levels, rows] : measurement.by_levels) {
    ecc::CodeMeasurement alone = measurement;
    alone.by_levels = {{levels, rows}};
    const ecc::CodeTable table(std::move(alone));
    try {
      text += text_of(
          "# %u sensing level%s: 1e-2 of the frames fail at RBER %.3e, 1e-3 at %.3e, 1e-4 at %.3e, 1e-5 at %.3e.\n",
          levels, levels == 1 ? "" : "s", table.rber_at(levels, 1e-2), table.rber_at(levels, 1e-3),
          table.rber_at(levels, 1e-4), table.rber_at(levels, 1e-5));
    } catch (const std::domain_error&) {
      continue;  // the measurement does not cover these failure rates yet
    }
  }
  return text;
}

}  // namespace

ecc::CodeMeasurement read_code_measurement(const fs::path& file) {
  const Value tree = read_yaml_file(file);
  const SourceLocation whole = {file.string(), 0};
  if (tree.map_items() == nullptr) throw ConfigError(whole, "", "is not a group of keys");
  constexpr std::array<std::string_view, 5> keys = {"code", "seed", "payload_bytes", "codeword_bits", "rows"};
  for (const auto& [key, value] : *tree.map_items()) {
    if (std::find(keys.begin(), keys.end(), key) == keys.end() && key != guaranteed_key) {
      throw ConfigError(value.source, key, "is not a key of a code's measurement");
    }
  }
  for (const std::string_view key : keys) {
    if (tree.find(key) == nullptr) throw ConfigError(whole, std::string(key), "is missing");
  }
  ecc::CodeMeasurement measurement;
  measurement.code = code_of(*tree.find("code"));
  measurement.seed = whole_number(*tree.find("seed"), "seed", any_number);
  const auto number = [&](const char* key) {
    return static_cast<std::uint32_t>(whole_number(*tree.find(key), key, any_32_bits));
  };
  measurement.payload_bytes = number("payload_bytes");
  measurement.codeword_bits = number("codeword_bits");
  if (measurement.payload_bytes != measurement.code.payload_bytes) {
    throw ConfigError(
        tree.find("payload_bytes")->source, "payload_bytes",
        "a codeword of " + to_string(measurement.code) + " has " + std::to_string(measurement.code.payload_bytes));
  }
  if (!measurement.code.plugin.empty()) {
    if (tree.find(guaranteed_key) == nullptr) {
      throw ConfigError(whole, std::string(guaranteed_key),
                        "is missing: the errors that the plug-in's code corrects wherever they lie; measure it again");
    }
    measurement.guaranteed_by_plugin = number(guaranteed_key.data());
  }
  const Value& rows = *tree.find("rows");
  if (rows.list_items() == nullptr) throw ConfigError(rows.source, "rows", "is a list of rows");
  for (const Value& row : *rows.list_items()) read_row(measurement, row);
  return measurement;
}

std::string write_code_measurement(const ecc::CodeMeasurement& m) {
  const std::string name = to_string(m.code);
  std::string text = "# SPDX-License-Identifier: Apache-2.0\n# How often " + name +
                     " fails, by the raw errors of a codeword.\n#\n# Measured by `nandscape characterize-ecc " + name +
                     "`, which continues this file.\n" + summary(m) + "\ncode: " + write_yaml(Value(name)) +
                     "seed: " + std::to_string(m.seed) + "\npayload_bytes: " + std::to_string(m.payload_bytes) +
                     "\ncodeword_bits: " + std::to_string(m.codeword_bits) + "\n";
  if (!m.code.plugin.empty()) {
    text += std::string(guaranteed_key) + ": " + std::to_string(m.guaranteed_by_plugin) + "\n";
  }
  text += "\n";
  text += rows_comment;
  if (m.by_levels.empty()) return text + "rows: []\n";
  text += "rows:\n";
  const auto add_row = [&](std::uint32_t levels, std::uint32_t errors, std::uint32_t channel_errors,
                           const ecc::MeasuredFrames& f) {
    const auto column = [](std::uint64_t number) { return static_cast<unsigned long long>(number); };
    text += text_of("  - [%u, %5u, %5u, %7llu, %7llu, %5llu, %9llu, %11llu]\n", levels, errors, channel_errors,
                    column(f.frames), column(f.failures), column(f.miscorrections), column(f.iterations),
                    column(f.squared_iterations));
  };
  for (const auto& [levels, rows] : m.by_levels) {
    for (const auto& [errors, frames] : rows) add_row(levels, errors, errors, frames);
  }
  for (const auto& [levels, off] : m.off_channel) add_row(levels, off.errors, off.channel_errors, off.frames);
  return text;
}

void save_code_measurement(const ecc::CodeMeasurement& measurement, const fs::path& file) {
  const std::string text = write_code_measurement(measurement);
  ReplacedFile out(file.string());
  out.write(text.data(), text.size());
  out.keep();
}

namespace {

NamedFiles& tables() {
  static NamedFiles files("code table", NANDSCAPE_SOURCE_DATA_FOLDER "/codes");
  return files;
}

ecc::CodeTable read_table(const fs::path& file) {
  ecc::CodeMeasurement measurement = read_code_measurement(file);
  if (measurement.by_levels.empty()) {
    throw ConfigError({file.string(), 0}, "",
                      "holds no frames yet; `nandscape characterize-ecc " + to_string(measurement.code) + " --output " +
                          file.string() + "` measures them");
  }
  try {
    return ecc::CodeTable(std::move(measurement));
  } catch (const std::invalid_argument& error) {
    throw ConfigError({file.string(), 0}, "code", error.what());
  }
}

}  // namespace

ecc::Code find_code(const std::string& name, const SourceLocation& where, const std::string& path) {
  try {
    return ecc::code_named(name);
  } catch (const std::invalid_argument& error) {
    std::vector<std::string> names;
    for (const ecc::Code& code : ecc::shipped_codes()) names.push_back(to_string(code));
    const std::string nearest = nearest_name(name, names);
    throw ConfigError(where, path, error.what() + (nearest.empty() ? "" : "; did you mean " + nearest + "?"));
  }
}

ecc::CodeTable code_table(const std::string& code_or_file, const SourceLocation& where, const std::string& path) {
  if (is_file_path(code_or_file)) return read_table(existing_file(code_or_file, where, path));
  const ecc::Code code = find_code(code_or_file, where, path);
  const fs::path file = tables().folder() / (to_string(code) + ".yaml");
  std::error_code error;
  if (!fs::is_regular_file(file, error)) {
    throw ConfigError(where, path,
                      "no table comes with nandscape for " + to_string(code) + "; `nandscape characterize-ecc " +
                          to_string(code) + "` measures one and writes the file " + to_string(code) +
                          ".yaml, which can be given in place of the name");
  }
  return read_table(file);
}

std::vector<std::pair<std::string, std::string>> list_code_tables() { return tables().list(); }

void set_code_table_folder(fs::path folder) { tables().set_folder(std::move(folder)); }

}  // namespace nandscape

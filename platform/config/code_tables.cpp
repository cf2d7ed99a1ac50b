// SPDX-License-Identifier: Apache-2.0
#include "platform/config/code_tables.h"

#include <stdexcept>
#include <system_error>

#include "core/nearest_name.h"
#include "platform/config/code_measurement_file.h"
#include "platform/config/named_files.h"

namespace nandscape {

namespace {

namespace fs = std::filesystem;

NamedFiles& tables() {
  static NamedFiles files("code table", NANDSCAPE_CODE_TABLE_FOLDER);
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

// SPDX-License-Identifier: Apache-2.0
#include "platform/named_files.h"

#include <algorithm>
#include <fstream>
#include <system_error>

#include "core/nearest_name.h"
#include "platform/yaml_reader.h"

namespace nandscape {

namespace {

namespace fs = std::filesystem;

// The text of the first comment that is not the licence.
std::string first_comment(const fs::path& path) {
  std::ifstream file(path);
  for (std::string line; std::getline(file, line);) {
    if (line.starts_with("# ") && !line.starts_with("# SPDX")) return line.substr(2);
  }
  return "";
}

}  // namespace

std::vector<std::pair<std::string, std::string>> NamedFiles::list() const {
  std::error_code error;
  const fs::directory_iterator entries(folder_, error);
  if (error) throw ConfigError({folder_.string(), 0}, "", "the folder of " + kind_ + "s cannot be read");
  std::vector<std::pair<std::string, std::string>> files;
  for (const fs::directory_entry& entry : entries) {
    if (entry.path().extension() == ".yaml") files.emplace_back(entry.path().stem(), first_comment(entry.path()));
  }
  std::sort(files.begin(), files.end());
  return files;
}

fs::path NamedFiles::find(const std::string& name, const fs::path& beside, const SourceLocation& where,
                          const std::string& path) const {
  const fs::path file = beside / name;
  if (fs::is_regular_file(file)) return file.lexically_normal();
  fs::path named = folder_ / (name + ".yaml");
  if (fs::is_regular_file(named)) return named;
  std::vector<std::string> names;
  std::string all;
  for (const auto& [known, comment] : list()) {
    names.push_back(known);
    all += (all.empty() ? "" : ", ") + known;
  }
  const std::string nearest = nearest_name(name, names);
  throw ConfigError(where, path,
                    "no file and no " + kind_ + " is named '" + name + "'" +
                        (nearest.empty() ? "." : "; did you mean " + nearest + "?") + " The " + kind_ + "s are " + all);
}

Value NamedFiles::read(const std::string& name, const SourceLocation& where, const std::string& path) const {
  const fs::path file = find(name, "", where, path);
  Value keys = read_yaml_file(file);
  if (keys.is_null()) keys = Value::map();
  if (keys.map_items() == nullptr) throw ConfigError({file.string(), 0}, "", "is not a group of keys");
  return keys;
}

}  // namespace nandscape

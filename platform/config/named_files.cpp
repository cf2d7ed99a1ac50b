// SPDX-License-Identifier: Apache-2.0
#include "platform/config/named_files.h"

#include <algorithm>
#include <fstream>
#include <system_error>

#include "core/message_text.h"
#include "core/nearest_name.h"
#include "platform/config/yaml_reader.h"

namespace nandscape {

namespace {

namespace fs = std::filesystem;

constexpr std::size_t longest_path = 500;  // characters of a path that a message shows

// Returns the text of the first comment line that is not the licence.
std::string first_comment(const fs::path& path) {
  std::ifstream file(path);
  for (std::string line; std::getline(file, line);) {
    if (line.starts_with("# ") && !line.starts_with("# SPDX")) return line.substr(2);
  }
  return "";
}

// Returns whether a regular file exists. A name may have any length and any bytes; if the name is invalid, there is no
// such file.
bool is_file(const fs::path& file) {
  std::error_code error;
  return file.native().find('\0') == std::string::npos && fs::is_regular_file(file, error);
}

}  // namespace

bool is_file_path(const std::string& name_or_path) {
  return name_or_path.find('/') != std::string::npos || name_or_path.ends_with(".yaml") ||
         name_or_path.ends_with(".yml") || name_or_path.ends_with(".json");
}

fs::path existing_file(const fs::path& file, const SourceLocation& where, const std::string& path) {
  if (is_file(file)) return file.lexically_normal();
  std::error_code error;
  const bool is_there = file.native().find('\0') == std::string::npos && fs::exists(file, error);
  throw ConfigError(
      where, path,
      (is_there ? "not a regular file: '" : "there is no file '") + printable(file.native(), longest_path) + "'");
}

std::vector<std::pair<std::string, std::string>> NamedFiles::list() const {
  std::error_code error;
  fs::directory_iterator entry(folder_, error);
  if (error) throw ConfigError({folder_.string(), 0}, "", "the folder of " + kind_ + "s cannot be read");
  std::vector<std::pair<std::string, std::string>> files;
  for (; entry != fs::directory_iterator(); entry.increment(error)) {
    const fs::path& file = entry->path();
    if (file.extension() == ".yaml") files.emplace_back(file.stem(), first_comment(file));
  }
  std::sort(files.begin(), files.end());
  return files;
}

fs::path NamedFiles::find(const std::string& name_or_path, const fs::path& beside, const SourceLocation& where,
                          const std::string& path) const {
  if (is_file_path(name_or_path)) return existing_file(beside / name_or_path, where, path);
  fs::path named = folder_ / (name_or_path + ".yaml");
  if (!is_file(named)) throw_unknown(name_or_path, beside, where, path);
  return named;
}

void NamedFiles::throw_unknown(const std::string& name, const fs::path& beside, const SourceLocation& where,
                               const std::string& path) const {
  std::string hint = ".";
  if (!name.empty() && is_file(beside / name)) {
    hint = "; for the file of that name write " + quotation("./" + name) + ".";
  }
  std::vector<std::string> names;
  std::string all;
  for (const auto& [known, comment] : list()) {
    names.push_back(known);
    all += (all.empty() ? "" : ", ") + known;
  }
  const std::string nearest = nearest_name(name, names);
  if (!nearest.empty()) hint = "; did you mean " + nearest + "?";
  throw ConfigError(where, path,
                    "no " + kind_ + " is named " + quotation(name) + hint + " The " + kind_ + "s are " + all);
}

Value NamedFiles::read(const std::string& name_or_path, const SourceLocation& where, const std::string& path) const {
  const fs::path file = find(name_or_path, "", where, path);
  Value keys = read_yaml_file(file);
  if (keys.is_null()) keys = Value::map();
  if (keys.map_items() == nullptr) throw ConfigError({file.string(), 0}, "", "is not a group of keys");
  return keys;
}

}  // namespace nandscape

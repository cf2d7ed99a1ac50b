// SPDX-License-Identifier: Apache-2.0
// YAML files in one folder that are found by name: presets, cell sets, profiles, tables. A string that contains a '/'
// or ends in .yaml, .yml or .json is a path, and any other string is a name. A file in the working directory therefore
// never hides a shipped file of the same name.
#pragma once

#include <filesystem>
#include <string>
#include <utility>
#include <vector>

#include "core/error.h"
#include "core/value.h"

namespace nandscape {

bool is_file_path(const std::string& name_or_path);

// Returns the normalised path of an existing regular file. `path` is the key whose value is the file name, and `where`
// is the source location of this value. Throws ConfigError if there is no such file.
std::filesystem::path existing_file(const std::filesystem::path& file, const SourceLocation& where,
                                    const std::string& path);

class NamedFiles {
 public:
  // `kind` is the word for one such file in messages, for example "preset".
  NamedFiles(std::string kind, std::filesystem::path folder) : kind_(std::move(kind)), folder_(std::move(folder)) {}

  const std::filesystem::path& folder() const { return folder_; }
  void set_folder(std::filesystem::path folder) { folder_ = std::move(folder); }

  // Returns the names of all files, each with the first comment line of the file. Throws ConfigError if the folder
  // cannot be read.
  std::vector<std::pair<std::string, std::string>> list() const;

  // Finds a file by its path, which may be relative to the folder `beside`, or by its name. Throws ConfigError if there
  // is no such file. `path` is the key that names the file, and `where` is its source location.
  std::filesystem::path find(const std::string& name_or_path, const std::filesystem::path& beside,
                             const SourceLocation& where, const std::string& path) const;

  // Returns the keys in the file that find() finds.
  Value read(const std::string& name_or_path, const SourceLocation& where, const std::string& path) const;

 private:
  [[noreturn]] void throw_unknown(const std::string& name, const std::filesystem::path& beside,
                                  const SourceLocation& where, const std::string& path) const;

  std::string kind_;
  std::filesystem::path folder_;
};

}  // namespace nandscape

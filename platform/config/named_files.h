// SPDX-License-Identifier: Apache-2.0
// YAML files of one folder that are called by their names: presets, cell sets, profiles, tables. One rule tells a name
// from a path everywhere: what holds a '/' or ends in .yaml, .yml or .json is the path of a file, and nothing else is.
// So a file that happens to lie in the working directory never takes the place of one that comes with nandscape.
#pragma once

#include <filesystem>
#include <string>
#include <utility>
#include <vector>

#include "core/error.h"
#include "core/value.h"

namespace nandscape {

bool is_file_path(const std::string& name_or_path);

// The file of a path, which is there and no folder; `path` is the key that it was given for, at `where`. Throws
// ConfigError.
std::filesystem::path existing_file(const std::filesystem::path& file, const SourceLocation& where,
                                    const std::string& path);

class NamedFiles {
 public:
  // `kind` is what messages call one of them.
  NamedFiles(std::string kind, std::filesystem::path folder) : kind_(std::move(kind)), folder_(std::move(folder)) {}

  const std::filesystem::path& folder() const { return folder_; }
  void set_folder(std::filesystem::path folder) { folder_ = std::move(folder); }

  // Their names, each with the first comment line of its file. Throws ConfigError when the folder cannot be read.
  std::vector<std::pair<std::string, std::string>> list() const;

  // The file of that path, from the folder `beside`, or the one that is called so. Where there is none, the ConfigError
  // says so of the key `path`, given at `where`.
  std::filesystem::path find(const std::string& name_or_path, const std::filesystem::path& beside,
                             const SourceLocation& where, const std::string& path) const;

  // The keys of the file that find() finds.
  Value read(const std::string& name_or_path, const SourceLocation& where, const std::string& path) const;

 private:
  [[noreturn]] void throw_unknown(const std::string& name, const std::filesystem::path& beside,
                                  const SourceLocation& where, const std::string& path) const;

  std::string kind_;
  std::filesystem::path folder_;
};

}  // namespace nandscape

// SPDX-License-Identifier: Apache-2.0
// YAML files of one folder that are called by their names: presets, cell sets, profiles.
#pragma once

#include <filesystem>
#include <string>
#include <utility>
#include <vector>

#include "core/error.h"
#include "core/value.h"

namespace nandscape {

class NamedFiles {
 public:
  // `kind` is what messages call one of them.
  NamedFiles(std::string kind, std::filesystem::path folder) : kind_(std::move(kind)), folder_(std::move(folder)) {}

  const std::filesystem::path& folder() const { return folder_; }
  void set_folder(std::filesystem::path folder) { folder_ = std::move(folder); }

  // Their names, each with the first comment line of its file. Throws ConfigError when the folder cannot be read.
  std::vector<std::pair<std::string, std::string>> list() const;

  // The file `name` in the folder `beside`, or else the one that is called so. Where there is neither, the ConfigError
  // says so of the key `path`, given at `where`.
  std::filesystem::path find(const std::string& name, const std::filesystem::path& beside, const SourceLocation& where,
                             const std::string& path) const;

  // The keys of the file that find() finds.
  Value read(const std::string& name, const SourceLocation& where, const std::string& path) const;

 private:
  std::string kind_;
  std::filesystem::path folder_;
};

}  // namespace nandscape

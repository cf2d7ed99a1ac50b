// SPDX-License-Identifier: Apache-2.0
// Reads the files of a configuration: presets by name, other files by path, and the files that these extend.
#pragma once

#include <filesystem>
#include <set>
#include <string>

#include "core/value.h"
#include "platform/config/schema.h"

namespace nandscape {

// The files that a configuration was read from: all files, and among them the saved results with the files that these
// extend.
struct ConfigurationFiles {
  std::set<std::string> all;
  std::set<std::string> results;
};

// The tree of the file or preset, merged over the files that it extends. Throws ConfigError.
Value read_configuration_file(const std::string& name_or_path, const SchemaNode& schema, ConfigurationFiles& files);

// The folder of presets; see set_preset_folder() in configuration.h.
std::filesystem::path preset_folder();

// Merges `tree` over the file or preset that its `extends:` names, if any, and removes that key.
void extend_tree(Value& tree, const SchemaNode& schema, ConfigurationFiles& files);

}  // namespace nandscape

// SPDX-License-Identifier: Apache-2.0
// The files that a configuration is made of: presets by their name, others by their path, and what each of them
// extends.
#pragma once

#include <filesystem>
#include <set>
#include <string>

#include "core/value.h"
#include "platform/config/schema.h"

namespace nandscape {

// The files that a configuration was read from: all of them, and the saved results among them, of which the
// configuration counts, with what these extend.
struct ConfigurationFiles {
  std::set<std::string> all;
  std::set<std::string> results;
};

// The tree of the file, or else the preset, of this name, laid over what it extends. Throws ConfigError.
Value read_configuration_file(const std::string& name_or_path, const SchemaNode& schema, ConfigurationFiles& files);

// Where presets are looked for; see set_preset_folder() in configuration.h.
std::filesystem::path preset_folder();

// Lays `tree` over what its `extends:` names, when it has one; the key itself goes.
void extend_tree(Value& tree, const SchemaNode& schema, ConfigurationFiles& files);

}  // namespace nandscape

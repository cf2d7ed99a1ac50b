// SPDX-License-Identifier: Apache-2.0
// Reads the files of a configuration: presets by name, other files by path, and the files that these files extend. Also
// merges cell sets and workload profiles, which are files named by keys of a configuration.
#pragma once

#include <filesystem>
#include <set>
#include <string>

#include "core/value.h"
#include "platform/config/schema.h"

namespace nandscape {

// The files from which a configuration was read. `results` contains those of them that are saved results, and the files
// that saved results extend.
struct ConfigurationFiles {
  std::set<std::string> all;
  std::set<std::string> results;
};

// Reads a file or a preset. Returns its tree, merged over the files that it extends. Throws ConfigError if a file does
// not exist, is not a configuration, or extends itself.
Value read_configuration_file(const std::string& name_or_path, const SchemaNode& schema, ConfigurationFiles& files);

// Returns the folder of the presets; see set_preset_folder() in configuration.h.
std::filesystem::path preset_folder();

// Merges `tree` over the file or preset that its key `extends` names, and removes this key. Does nothing if the tree
// does not have the key.
void extend_tree(Value& tree, const SchemaNode& schema, ConfigurationFiles& files);

// Cell sets: files with the keys of the group nand.cells for one kind of cell. `nand.cells.set` names the set whose
// constants are defaults for the keys that a configuration does not give.

// Removes the constants of the cell set from `base` if `overlay` chooses another set, since the constants belong to
// other cells. merge_tree() does the same for variants.
void leave_cell_set(Value& base, const Value& overlay);

// Merges the constants of the tree's cell set as defaults into the group nand.cells of the tree. If the tree already
// has every constant, the file of the set is not read. A resolved configuration therefore runs on a machine that does
// not have a custom set. Throws ConfigError if the set is needed and cannot be read.
void lay_cell_set(Value& tree, const SchemaNode& schema);

// Returns the folder of the cell sets; see set_cell_set_folder() in configuration.h.
std::filesystem::path cell_set_folder();

// Profiles: files with the statistics of one workload. The key `profile` of a workload names the profile whose values
// are defaults for the keys that the workload does not give. Each kind of workload with profiles has its own folder,
// since different papers publish different statistics of the same traces under the same names.

// Removes the profile's values from each workload in `base` for which `overlay` chooses another profile.
// leave_cell_set() does the same for cell sets.
void leave_workload_profiles(Value& base, const Value& overlay);

// Merges the values of each workload's profile as defaults into the group of the workload. If a workload already has
// every value, the file of its profile is not read. A resolved configuration therefore runs on a machine that does not
// have a custom profile. Throws ConfigError if a profile is needed and cannot be read.
void lay_workload_profiles(Value& tree, const SchemaNode& schema);

// Returns the folder of the profiles. The profiles of volumes are in its subfolder `volumes`; see
// set_workload_profile_folder() in configuration.h.
std::filesystem::path workload_profile_folder();

}  // namespace nandscape

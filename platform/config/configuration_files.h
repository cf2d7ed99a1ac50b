// SPDX-License-Identifier: Apache-2.0
// Reads the files of a configuration: presets by name, other files by path, and the files that these extend. Merges the
// files that lie under the keys of a configuration: cell sets and workload profiles.
#pragma once

#include <filesystem>
#include <set>
#include <string>

#include "core/value.h"
#include "platform/config/schema.h"

namespace nandscape {

// The files that a configuration was read from. `results` are the saved results among them, and the files that these
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

// Cell sets: files with the keys of the group nand.cells for one kind of cell. `nand.cells.set` names the set whose
// constants are defaults for the keys that a configuration does not give.

// Clears the constants in `base` if `overlay` chooses another set, since they belong to other cells. merge_tree() does
// the same for variants.
void leave_cell_set(Value& base, const Value& overlay);

// Merges the tree's cell set as defaults into its group nand.cells. A tree with every constant does not need the file,
// so a resolved configuration runs where a custom set is missing. Throws ConfigError.
void lay_cell_set(Value& tree, const SchemaNode& schema);

// The folder of cell sets; see set_cell_set_folder() in configuration.h.
std::filesystem::path cell_set_folder();

// Profiles: files with the statistics of one workload. The key `profile` of a workload names the profile whose values
// are defaults for the keys that the workload does not give. Each kind of workload with profiles has its own folder,
// since different papers publish different statistics of the same traces under the same names.

// Removes the profile's values from each workload in `base` for which `overlay` chooses another profile.
// leave_cell_set() does the same for cell sets.
void leave_workload_profiles(Value& base, const Value& overlay);

// Merges the profile of each workload as defaults into its group. A workload with every value does not need the file,
// so a resolved configuration runs where a custom profile is missing. Throws ConfigError.
void lay_workload_profiles(Value& tree, const SchemaNode& schema);

// The folder of profiles, with the profiles of volumes in its folder `volumes`; see set_workload_profile_folder() in
// configuration.h.
std::filesystem::path workload_profile_folder();

}  // namespace nandscape

// SPDX-License-Identifier: Apache-2.0
// Profiles: files with the statistics of one workload. The key `profile` of a workload names the profile whose values
// are defaults for the keys that the workload does not give. Each kind of workload with profiles has its own folder,
// since different papers publish different statistics of the same traces under the same names.
#pragma once

#include <filesystem>

#include "core/value.h"
#include "platform/config/schema.h"

namespace nandscape {

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

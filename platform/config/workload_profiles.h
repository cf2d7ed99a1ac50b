// SPDX-License-Identifier: Apache-2.0
// Profiles: files that hold the statistics of one workload. `profile` of a workload names the one whose figures lie
// under those that the workload gives itself. Each kind of workload that has profiles has a folder of its own for them:
// papers print other statistics of the same traces, under the same names.
#pragma once

#include <filesystem>

#include "core/value.h"
#include "platform/config/schema.h"

namespace nandscape {

// What leave_cell_set() does, for each workload: where `overlay` chooses another profile than `base` has, the figures
// in `base` were those of another workload, and go.
void leave_workload_profiles(Value& base, const Value& overlay);

// Lays the profile of each workload under its group. One that gives every figure itself does not need the file: a
// resolved configuration runs again where a profile of the user's own is missing. Throws ConfigError.
void lay_workload_profiles(Value& tree, const SchemaNode& schema);

// Where profiles are looked for, those of volumes in the folder `volumes` there; see set_workload_profile_folder() in
// configuration.h.
std::filesystem::path workload_profile_folder();

}  // namespace nandscape

// SPDX-License-Identifier: Apache-2.0
// Where all that is called by name lies: presets, cell sets, code tables, read-timing tables and workload profiles.
#pragma once

#include <filesystem>

namespace nandscape {

// Looks for them in the subfolders `presets`, `cells`, `codes`, `read_timing` and `profiles` of this folder from now
// on, in place of the folders of the sources. A program that is built against the installed package calls it before it
// loads a configuration, with NANDSCAPE_DATA_FOLDER, which nandscape::platform defines. Throws InputError unless it is
// a folder that has presets.
void set_data_folder(const std::filesystem::path& folder);

}  // namespace nandscape

// SPDX-License-Identifier: Apache-2.0
// The folder of all named files: presets, cell sets, code tables, read-timing tables and workload profiles.
#pragma once

#include <filesystem>

namespace nandscape {

// Reads named files from the subfolders `presets`, `cells`, `codes`, `read_timing` and `profiles` of this folder,
// instead of the source folders. A program built against the installed package calls this with NANDSCAPE_DATA_FOLDER,
// which nandscape::platform defines, before it loads a configuration. Throws InputError if the folder does not contain
// presets.
void set_data_folder(const std::filesystem::path& folder);

}  // namespace nandscape

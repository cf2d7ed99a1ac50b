// SPDX-License-Identifier: Apache-2.0
// The folder of all named files: presets, cell sets, code tables, read-timing tables and workload profiles.
#pragma once

#include <filesystem>

namespace nandscape {

// Sets the folder from which named files are read, in its subfolders `presets`, `cells`, `codes`, `read_timing` and
// `profiles`. The default is the source tree. A program built against the installed package calls
// set_data_folder(NANDSCAPE_DATA_FOLDER) before it loads a configuration; nandscape::platform defines the macro. Throws
// InputError if `folder` has no subfolder `presets`.
void set_data_folder(const std::filesystem::path& folder);

}  // namespace nandscape

// SPDX-License-Identifier: Apache-2.0
// Files of read-timing parameter tables. Those that come with nandscape are called by the cell set that was profiled.
#pragma once

#include <filesystem>
#include <string>
#include <utility>
#include <vector>

#include "controller/reading/read_timing_table.h"
#include "core/error.h"

namespace nandscape {

// The table in a YAML file, or the one that is called so. The ConfigError of a broken file tells the line, that of a
// name that there is not, given at `where` for the key `path`, the nearest one.
controller::ReadTimingTable load_read_timing_table(const std::string& name_or_path, const SourceLocation& where = {},
                                                   const std::string& path = "");

// Names of the tables that come with nandscape, each with the first line of its file.
std::vector<std::pair<std::string, std::string>> list_read_timing_tables();
// Where they are looked for: the folder of the sources, or the one beside the installed Python package.
void set_read_timing_table_folder(std::filesystem::path folder);

}  // namespace nandscape

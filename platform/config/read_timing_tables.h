// SPDX-License-Identifier: Apache-2.0
// Reads the files of read-timing parameter tables. A shipped table has the name of the cell set that was profiled.
#pragma once

#include <filesystem>
#include <string>
#include <utility>
#include <vector>

#include "controller/reading/read_timing_table.h"
#include "core/error.h"

namespace nandscape {

// Loads the table from a YAML file, or the shipped table of that name. `path` is the key that names the table, and
// `where` is its source location. Throws ConfigError for an invalid file, with the line, and for an unknown name, with
// the most similar name.
controller::ReadTimingTable load_read_timing_table(const std::string& name_or_path, const SourceLocation& where = {},
                                                   const std::string& path = "");

// Returns the names of the shipped tables, each with the first comment line of its file.
std::vector<std::pair<std::string, std::string>> list_read_timing_tables();
// Sets the folder of the shipped tables. By default, it is the folder in the source tree. The installed Python package
// sets the folder to its own copy.
void set_read_timing_table_folder(std::filesystem::path folder);

}  // namespace nandscape

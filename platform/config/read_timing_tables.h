// SPDX-License-Identifier: Apache-2.0
// Files of read-timing parameter tables. The shipped tables are named after the profiled cell set.
#pragma once

#include <filesystem>
#include <string>
#include <utility>
#include <vector>

#include "controller/reading/read_timing_table.h"
#include "core/error.h"

namespace nandscape {

// The table in a YAML file, or the shipped table of that name, given at `where` for the key `path`. Throws ConfigError,
// with the line of an invalid file or the nearest name of an unknown one.
controller::ReadTimingTable load_read_timing_table(const std::string& name_or_path, const SourceLocation& where = {},
                                                   const std::string& path = "");

// Names of the shipped tables, each with the first comment line of its file.
std::vector<std::pair<std::string, std::string>> list_read_timing_tables();
// Sets the folder of the shipped tables. The default is the source folder; the installed Python package sets its own.
void set_read_timing_table_folder(std::filesystem::path folder);

}  // namespace nandscape

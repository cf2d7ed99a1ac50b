// SPDX-License-Identifier: Apache-2.0
// Files of measured codes. Those that come with nandscape are called by the code's name.
#pragma once

#include <filesystem>
#include <string>
#include <utility>
#include <vector>

#include "core/error.h"
#include "ecc/measurement/code_table.h"

namespace nandscape {

// The code that is called so. Throws ConfigError, naming the nearest one, when there is none; `where` the name was
// given for the key `path`.
ecc::Code find_code(const std::string& name, const SourceLocation& where = {}, const std::string& path = "");

// The table of a code, or that of a YAML file. The ConfigError of a code that has none says which command measures it.
ecc::CodeTable code_table(const std::string& code_or_file, const SourceLocation& where = {},
                          const std::string& path = "");

// Names of the codes that tables come with, each with the first line of its file.
std::vector<std::pair<std::string, std::string>> list_code_tables();
// Where they are looked for: the folder of the sources, or the one beside the installed Python package.
void set_code_table_folder(std::filesystem::path folder);

}  // namespace nandscape

// SPDX-License-Identifier: Apache-2.0
// Tables of measured codes, and the files of measurements that they are made from. The shipped tables are named after
// their code.
#pragma once

#include <filesystem>
#include <string>
#include <utility>
#include <vector>

#include "core/error.h"
#include "ecc/measurement/code_measurement.h"
#include "ecc/measurement/code_table.h"

namespace nandscape {

// The code named `name`. Throws ConfigError with the nearest name if there is none. `where` is the source location of
// the name, `path` its key.
ecc::Code find_code(const std::string& name, const SourceLocation& where = {}, const std::string& path = "");

// The shipped table of a code, or the table in a YAML file. Throws ConfigError if there is none; the message gives the
// command that measures the code.
ecc::CodeTable code_table(const std::string& code_or_file, const SourceLocation& where = {},
                          const std::string& path = "");

// Names of the codes with shipped tables, each with the first comment line of its file.
std::vector<std::pair<std::string, std::string>> list_code_tables();
// Sets the folder of the shipped tables. The default is the source folder; the installed Python package sets its own.
void set_code_table_folder(std::filesystem::path folder);

// Reads and writes a code's measurement as a YAML file, with comments for human readers.
// Throws ConfigError, with the file and the line, for a file that holds no measurement.
ecc::CodeMeasurement read_code_measurement(const std::filesystem::path& file);

std::string write_code_measurement(const ecc::CodeMeasurement& measurement);

// Replaces the file atomically. Throws ConfigError if it cannot be written.
void save_code_measurement(const ecc::CodeMeasurement& measurement, const std::filesystem::path& file);

}  // namespace nandscape

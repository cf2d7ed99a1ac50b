// SPDX-License-Identifier: Apache-2.0
// The tables of measured codes, and the files of measurements from which these tables are made. A shipped table has the
// name of its code.
#pragma once

#include <filesystem>
#include <string>
#include <utility>
#include <vector>

#include "core/error.h"
#include "ecc/measurement/code_measurement.h"
#include "ecc/measurement/code_table.h"

namespace nandscape {

// Returns the code named `name`. Throws ConfigError if there is none; the message suggests the most similar name.
// `where` is the source location of the name in the configuration, and `path` is its key.
ecc::Code find_code(const std::string& name, const SourceLocation& where = {}, const std::string& path = "");

// Returns the shipped table of a code, or the table in a YAML file. Throws ConfigError if there is no such table; the
// message gives the command that measures the code.
ecc::CodeTable code_table(const std::string& code_or_file, const SourceLocation& where = {},
                          const std::string& path = "");

// Returns the names of the codes with shipped tables, each with the first comment line of its file.
std::vector<std::pair<std::string, std::string>> list_code_tables();
// Sets the folder of the shipped tables. By default, it is the folder in the source tree. The installed Python package
// sets the folder to its own copy.
void set_code_table_folder(std::filesystem::path folder);

// Reads and writes the measurement of a code as a YAML file with comments for human readers. Reading throws
// ConfigError, with the file and the line, if the file does not contain a measurement.
ecc::CodeMeasurement read_code_measurement(const std::filesystem::path& file);

std::string write_code_measurement(const ecc::CodeMeasurement& measurement);

// Replaces the file atomically. Throws ConfigError if the file cannot be written.
void save_code_measurement(const ecc::CodeMeasurement& measurement, const std::filesystem::path& file);

}  // namespace nandscape

// SPDX-License-Identifier: Apache-2.0
// Reads and writes a code's measurement as a YAML file, with comments for human readers.
#pragma once

#include <filesystem>
#include <string>

#include "ecc/measurement/code_measurement.h"

namespace nandscape {

// Throws ConfigError, with the file and the line, for a file that holds no measurement.
ecc::CodeMeasurement read_code_measurement(const std::filesystem::path& file);

std::string write_code_measurement(const ecc::CodeMeasurement& measurement);

// Replaces the file atomically. Throws ConfigError if it cannot be written.
void save_code_measurement(const ecc::CodeMeasurement& measurement, const std::filesystem::path& file);

}  // namespace nandscape

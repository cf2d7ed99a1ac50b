// SPDX-License-Identifier: Apache-2.0
// A code's measurement as a YAML file that people read, too.
#pragma once

#include <filesystem>
#include <string>

#include "ecc/measurement/code_measurement.h"

namespace nandscape {

// Throws ConfigError, with the file and the line, for a file that holds no measurement.
ecc::CodeMeasurement read_code_measurement(const std::filesystem::path& file);

std::string write_code_measurement(const ecc::CodeMeasurement& measurement);

// Puts it in the place of the file, whole or not at all. Throws ConfigError when it cannot be written.
void save_code_measurement(const ecc::CodeMeasurement& measurement, const std::filesystem::path& file);

}  // namespace nandscape

// SPDX-License-Identifier: Apache-2.0
// Checks that involve several parameters. They run after all parameters have been read.
#pragma once

#include <optional>
#include <string>

#include "core/error.h"
#include "core/value.h"
#include "nand/parameters.h"
#include "platform/config/parameters.h"

namespace nandscape {

// Returns the source location of the key `path` or, if the key was not given, of the innermost given group around it.
SourceLocation source_of(const Value& tree, const std::string& path);

// Runs all checks on the parameters that were read from `tree`. Throws one ConfigError with all findings.
void check_configuration(const PlatformParameters& parameters, const Value& tree);

// Runs the checks that a drive needs, which exclude the checks of the host's traffic, and returns `parameters`. Throws
// ConfigError for the first finding.
const PlatformParameters& checked(const PlatformParameters& parameters);

// Checks whether the condition of the flash is within the range to which its cell constants were fitted
// (`nand.cells.fitted`). Returns a line with the values outside the range and with the bounds, or nothing if all values
// are inside.
[[nodiscard]] std::optional<std::string> outside_fitted_range(const nand::NandParameters& parameters);

// Checks whether the changes of a configuration are allowed when a checkpoint is restored. Compares the saved with the
// new resolved configuration. Throws ConfigError for the first changed key on which the saved state depends, with the
// source location of this key in `given`.
void check_restorable(const Value& saved, const Value& resolved, const Value& given);

}  // namespace nandscape

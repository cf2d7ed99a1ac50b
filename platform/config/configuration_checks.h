// SPDX-License-Identifier: Apache-2.0
// Checks across several parameters, after all of them were read.
#pragma once

#include <optional>
#include <string>

#include "core/error.h"
#include "core/value.h"
#include "nand/parameters.h"
#include "platform/config/parameters.h"

namespace nandscape {

// The source location of the key `path`, or of the innermost given group around it if the key was not given.
SourceLocation source_of(const Value& tree, const std::string& path);

// Runs every check on the parameters read from `tree`. Throws one ConfigError with all findings.
void check_configuration(const PlatformParameters& parameters, const Value& tree);

// Runs the checks that a drive needs, without those of the host's traffic, and returns `parameters`. Throws ConfigError
// for the first finding.
const PlatformParameters& checked(const PlatformParameters& parameters);

// Checks whether the condition of the flash is within the range that its cell constants were fitted to
// (`nand.cells.fitted`). Returns a line with the values outside the range and the bounds; nothing if all are inside.
[[nodiscard]] std::optional<std::string> outside_fitted_range(const nand::NandParameters& parameters);

// Checks which keys of a configuration may change when a checkpoint is restored. Compares resolved configurations.
// Throws ConfigError, with the source location in `given`, for the first changed key that the saved state depends on.
void check_restorable(const Value& saved, const Value& resolved, const Value& given);

}  // namespace nandscape

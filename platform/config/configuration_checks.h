// SPDX-License-Identifier: Apache-2.0
// Checks across several parameters, after all of them were read.
#pragma once

#include <string>

#include "core/error.h"
#include "core/value.h"
#include "platform/config/parameters.h"

namespace nandscape {

// The source location of the key `path`; for a key that was not given, that of the innermost given group around it.
SourceLocation source_of(const Value& tree, const std::string& path);

// Runs every check on the parameters read from `tree`. Throws one ConfigError with all findings.
void check_configuration(const PlatformParameters& parameters, const Value& tree);

}  // namespace nandscape

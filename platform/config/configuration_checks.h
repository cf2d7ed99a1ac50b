// SPDX-License-Identifier: Apache-2.0
// Checks that look at several parameters at once, after each of them has been read.
#pragma once

#include <string>

#include "core/error.h"
#include "core/value.h"
#include "platform/config/parameters.h"

namespace nandscape {

// Where the key at `path` of a tree was given; where it was left to its default, the innermost group around it that was
// given.
SourceLocation source_of(const Value& tree, const std::string& path);

// Runs every check on what was read from `tree`. Throws one ConfigError that tells all that they found.
void check_configuration(const PlatformParameters& parameters, const Value& tree);

}  // namespace nandscape

// SPDX-License-Identifier: Apache-2.0
// Reads YAML text to a tree of values with their source locations.
#pragma once

#include <filesystem>
#include <string>

#include "core/value.h"

namespace nandscape {

// Reads one YAML document; an empty document is null. Anchors, aliases and merge keys are resolved. `begin` is where
// the text begins, with line 0 if lines mean nothing to the user, as on a command line. Throws ConfigError for a syntax
// error, a duplicate key, a second document, and text larger than any configuration.
Value read_yaml(const std::string& text, const SourceLocation& begin);

// The same for a file.
Value read_yaml_file(const std::filesystem::path& path);

}  // namespace nandscape

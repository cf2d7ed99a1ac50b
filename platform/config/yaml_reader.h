// SPDX-License-Identifier: Apache-2.0
// Reads YAML text to a tree of values with their source locations.
#pragma once

#include <filesystem>
#include <string>

#include "core/value.h"

namespace nandscape {

// Reads one YAML document. An empty document is null. Anchors, aliases and merge keys are resolved. `begin` is the
// source location at which the text begins. Its line is 0 if line numbers mean nothing to the user, as on a command
// line. Throws ConfigError for a syntax error, a duplicate key, a second document, and text that is larger than any
// configuration.
Value read_yaml(const std::string& text, const SourceLocation& begin);

// Reads one YAML document from a file, by the same rules.
Value read_yaml_file(const std::filesystem::path& path);

}  // namespace nandscape

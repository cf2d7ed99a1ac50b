// SPDX-License-Identifier: Apache-2.0
// YAML text to a tree of values that knows where each of them was written.
#pragma once

#include <filesystem>
#include <string>

#include "core/value.h"

namespace nandscape {

// Reads one YAML document; an empty one is null. Anchors, aliases and merge keys are resolved. `begin` is where the
// text begins: line 0 where lines mean nothing to the user, as on a command line. Throws ConfigError on a syntax error,
// on a key that is given twice, on a second document, and on what is larger than any configuration.
Value read_yaml(const std::string& text, const SourceLocation& begin);

// The same for a file.
Value read_yaml_file(const std::filesystem::path& path);

}  // namespace nandscape

// SPDX-License-Identifier: Apache-2.0
// Writes a tree of values as YAML text. Reading the text returns the same tree.
#pragma once

#include <string>

#include "core/value.h"

namespace nandscape {

// Writes a tree of values. Each key of a group is on a separate line, and lists of plain values are in brackets. A
// string is quoted only if a reader of YAML 1.1 or 1.2 could read it as another type.
std::string write_yaml(const Value& value);

}  // namespace nandscape

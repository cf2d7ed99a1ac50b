// SPDX-License-Identifier: Apache-2.0
// Writes a tree of values as YAML text that reads back as the same tree.
#pragma once

#include <string>

#include "core/value.h"

namespace nandscape {

// Groups have one key per line; lists of plain values are in brackets. Text is quoted only if a YAML 1.1 or 1.2 reader
// could read it as another type.
std::string write_yaml(const Value& value);

}  // namespace nandscape

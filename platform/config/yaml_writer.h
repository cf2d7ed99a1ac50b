// SPDX-License-Identifier: Apache-2.0
// A tree of values to YAML text that reads back to the same tree.
#pragma once

#include <string>

#include "core/value.h"

namespace nandscape {

// Groups one key to a line, lists of plain values in brackets. Text is quoted only where it could be taken for
// something else, by YAML 1.1 readers too.
std::string write_yaml(const Value& value);

}  // namespace nandscape

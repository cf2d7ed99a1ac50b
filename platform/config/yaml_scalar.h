// SPDX-License-Identifier: Apache-2.0
// Resolves unquoted YAML scalars.
#pragma once

#include <string_view>

#include "core/value.h"

namespace nandscape {

// Converts a plain scalar to a value. The rules are those of YAML 1.2's core schema: null, booleans, integers (decimal,
// octal with 0o, hexadecimal with 0x), and reals. Any other scalar is a string, including yes, no, on and off. 012 is
// twelve. In addition, digits may be grouped, as in 1_000_000. An integer that does not fit int64 becomes a real.
Value resolve_scalar(std::string_view text);

}  // namespace nandscape

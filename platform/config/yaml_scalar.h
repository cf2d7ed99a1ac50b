// SPDX-License-Identifier: Apache-2.0
// Resolves unquoted YAML scalars.
#pragma once

#include <string_view>

#include "core/value.h"

namespace nandscape {

// Uses the core schema of YAML 1.2: null, booleans, decimal, 0o octal and 0x hexadecimal integers, and reals. Any other
// scalar is text, including yes, no, on and off; 012 is twelve. One addition: digits may be grouped, as in 1_000_000.
// An integer that does not fit int64 becomes a real.
Value resolve_scalar(std::string_view text);

}  // namespace nandscape

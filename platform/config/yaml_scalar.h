// SPDX-License-Identifier: Apache-2.0
// What an unquoted YAML scalar means.
#pragma once

#include <string_view>

#include "core/value.h"

namespace nandscape {

// The core schema of YAML 1.2: null, booleans, decimal, 0o octal and 0x hexadecimal integers, reals; the rest is text
// (so are yes, no, on and off, and 012 is twelve). One addition: digits may be grouped, 1_000_000. An integer past 64
// bits becomes a real.
Value resolve_scalar(std::string_view text);

}  // namespace nandscape

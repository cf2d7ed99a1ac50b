// SPDX-License-Identifier: Apache-2.0
// Catch2, version 2 or 3.
#pragma once

#include <string>

// Compiles faster: an unexpected exception ends its test case and is reported there, not at its check.
#define CATCH_CONFIG_FAST_COMPILE

#if __has_include(<catch2/catch_all.hpp>)
#include <catch2/catch_all.hpp>
using Catch::Approx;
using Catch::Matchers::ContainsSubstring;
#else
#include <catch2/catch.hpp>
inline auto ContainsSubstring(const std::string& part) { return Catch::Matchers::Contains(part); }
#endif

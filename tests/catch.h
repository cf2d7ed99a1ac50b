// SPDX-License-Identifier: Apache-2.0
// Includes Catch2 version 2 or version 3, whichever is installed.
#pragma once

#include <string>

// Makes the tests compile faster. The cost is that an unexpected exception is reported only for its test case, without
// the check that threw it.
#define CATCH_CONFIG_FAST_COMPILE

#if __has_include(<catch2/catch_all.hpp>)
#include <catch2/catch_all.hpp>
using Catch::Approx;
using Catch::Matchers::ContainsSubstring;
#else
#include <catch2/catch.hpp>
inline auto ContainsSubstring(const std::string& part) { return Catch::Matchers::Contains(part); }
#endif

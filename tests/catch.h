// SPDX-License-Identifier: Apache-2.0
// Catch2, version 2 or 3.
// Catch2, whichever of its major versions the system has.
#pragma once

#if __has_include(<catch2/catch_all.hpp>)
#include <catch2/catch_all.hpp>
using Catch::Approx;
#else
#include <catch2/catch.hpp>
using Catch::Matchers::ContainsSubstring;
inline auto ContainsSubstring(const std::string& part) { return Catch::Matchers::Contains(part); }
#endif

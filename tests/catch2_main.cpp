// SPDX-License-Identifier: Apache-2.0
// The main function of a test program under Catch2 version 2; version 3 brings its own.
// Catch2 version 2 has no library with a main function.
#define CATCH_CONFIG_MAIN
#include <catch2/catch.hpp>

// SPDX-License-Identifier: Apache-2.0
// Defines the main function of the test programs for Catch2 version 2. Version 3 has its own in a library.
#define CATCH_CONFIG_MAIN
#include <catch2/catch.hpp>

// SPDX-License-Identifier: Apache-2.0
#include "ecc/codes/code.h"

#include <stdexcept>
#include <string>

#include "catch.h"

namespace nandscape::ecc {
namespace {

TEST_CASE("names of codes survive a round trip") {
  for (const Code& code : shipped_codes()) CHECK(code_named(to_string(code)) == code);
  CHECK(code_named("bch_1080_24") == Code{"bch", 1080, 24, 0});
  CHECK(code_named("concatenated_4096_24_512") == Code{"concatenated", 4096, 24, 512});
}

TEST_CASE("invalid code names are refused") {
  for (const std::string name : {"", "bch", "bch_1024", "bch_1024_72_3", "ldpc_4096_", "ldpc_x_512", "turbo_1_2"}) {
    CHECK_THROWS_AS(code_named(name), std::invalid_argument);
  }
}

}  // namespace
}  // namespace nandscape::ecc

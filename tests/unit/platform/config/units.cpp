// SPDX-License-Identifier: Apache-2.0
#include "platform/config/units.h"
#include "catch.h"

using namespace nandscape;

namespace {

std::string in(const char* text, const char* unit) {
  const auto quantity = parse_quantity(text);
  return quantity ? convert(*quantity, unit).value_or("another dimension") : "no quantity";
}

}  // namespace

TEST_CASE("quantities convert to the unit of a key") {
  CHECK(in("700us", "us") == "700");
  CHECK(in("0.7 ms", "us") == "700");
  CHECK(in("700 µs", "ms") == "0.7");
  CHECK(in("1 year", "days") == "365.25");
  CHECK(in("16 KiB", "bytes") == "16384");
  CHECK(in("16k", "bytes") == "16384");
  CHECK(in("1.2 GT/s", "mt_s") == "1200");
  CHECK(in("7%", "") == "0.07");
  CHECK(in("70%", "percent") == "70");
}

TEST_CASE("invalid quantities and other dimensions do not convert") {
  CHECK(in("700", "us") == "no quantity");
  CHECK(in("fast", "us") == "no quantity");
  CHECK(in("700 parsecs", "us") == "no quantity");
  CHECK(in("16 KiB", "us") == "another dimension");
}

TEST_CASE("units are written with their usual symbols") {
  CHECK(unit_symbol("mt_s") == "MT/s");
  CHECK(unit_symbol("c") == "°C");
  CHECK(unit_symbol("bits") == "bits");
}

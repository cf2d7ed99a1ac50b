// SPDX-License-Identifier: Apache-2.0
#include "core/value.h"

#include <cmath>
#include <cstdlib>
#include <limits>

#include "catch.h"

namespace nandscape {
namespace {

TEST_CASE("maps keep the order of insertion and grow at any depth") {
  Value root;
  root["b"]["y"] = 1;
  root["b"]["x"] = 2.5;
  root["a"] = "text";
  root["b"]["y"] = 3;
  CHECK(root.to_json(0) == R"({"b":{"y":3,"x":2.5},"a":"text"})");
  CHECK(root.at("b.x").number() == 2.5);
  CHECK(root.at("b.y").number() == 3);
  CHECK(root.find("c") == nullptr);
  CHECK(root.at("a").find("c") == nullptr);
}

TEST_CASE("a path that leads nowhere names its missing part") {
  Value root;
  root["host"]["read"]["count"] = 1;
  CHECK_THROWS_WITH(root.at("host.write.count"), "no value 'host.write'");
  CHECK_THROWS_WITH(root.at("host.read.count.x"), "no value 'host.read.count.x'");
  CHECK_THROWS_AS(root.at(""), std::out_of_range);
  CHECK_THROWS_AS(root.at("host").number(), std::out_of_range);
}

TEST_CASE("integers and reals stay distinct") {
  CHECK(Value(1) != Value(1.0));
  CHECK(Value(std::uint32_t{1}) == Value(std::int64_t{1}));
  CHECK(Value(true) != Value(1));
  CHECK(Value(1).real() == nullptr);
  CHECK(Value(1.0).integer() == nullptr);
  CHECK(Value(1).to_json() == "1");
  CHECK(Value(1.0).to_json() == "1.0");
  CHECK(Value(1e300).to_json() == "1e+300");
  CHECK(Value(std::numeric_limits<std::int64_t>::min()).to_json() == "-9223372036854775808");
}

TEST_CASE("unknown values are equal") {
  const double nan = std::nan("");
  CHECK(Value(nan) == Value(-nan));
  CHECK(Value(nan) != Value(0.0));
  CHECK(Value(Value::List{Value(nan)}) == Value(Value::List{Value(nan)}));
  Value tree, other;
  tree["p99"] = nan;
  other["p99"] = 1.0;
  CHECK(tree == Value(tree));
  CHECK(tree != other);
}

TEST_CASE("doubles are written so that they read back to the same bits") {
  for (const double number : {0.1, 1.0 / 3, 5e-324, 1.7976931348623157e308, 123456789.123456789, -0.0}) {
    const double back = std::strtod(Value(number).to_json().c_str(), nullptr);
    CHECK(back == number);
    CHECK(std::signbit(back) == std::signbit(number));
  }
}

TEST_CASE("values that JSON lacks are written as null") {
  CHECK(Value().to_json() == "null");
  CHECK(Value(std::numeric_limits<double>::infinity()).to_json() == "null");
  CHECK(Value(std::nan("")).to_json() == "null");
}

TEST_CASE("text is quoted") {
  CHECK(Value("a\"b\\c\nd\te\x01\x1f").to_json() == R"("a\"b\\c\nd\te\u0001\u001f")");
  CHECK(Value("tR in \xc2\xb5s").to_json() == "\"tR in \xc2\xb5s\"");
}

TEST_CASE("JSON is indented, and empty containers stay on one line") {
  Value root;
  root["list"] = Value::List{Value(1), Value::list(), Value::map()};
  CHECK(root.to_json(2) == "{\n  \"list\": [\n    1,\n    [],\n    {}\n  ]\n}");
  CHECK(root.to_json(0) == R"({"list":[1,[],{}]})");
}

}  // namespace
}  // namespace nandscape

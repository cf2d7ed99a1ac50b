// SPDX-License-Identifier: Apache-2.0
#include "core/nearest_name.h"
#include "catch.h"

using namespace nandscape;

TEST_CASE("edit distance counts typing errors") {
  CHECK(edit_distance("", "abc") == 3);
  CHECK(edit_distance("greedy", "greedy") == 0);
  CHECK(edit_distance("gredy", "greedy") == 1);    // a letter omitted
  CHECK(edit_distance("grreedy", "greedy") == 1);  // a letter too many
  CHECK(edit_distance("greefy", "greedy") == 1);   // a letter replaced
  CHECK(edit_distance("rgeedy", "greedy") == 1);   // two neighbours swapped
  CHECK(edit_distance("T-Prog-us", "t_prog_us") == 0);
}

TEST_CASE("the nearest name is returned only when it is near") {
  const std::vector<std::string> names = {"greedy", "randomized_greedy", "fifo"};
  CHECK(nearest_name("gredy", names) == "greedy");
  CHECK(nearest_name("randomised_greedy", names) == "randomized_greedy");
  CHECK(nearest_name("oldest", names).empty());
  CHECK(nearest_name("x", {}).empty());
}

TEST_CASE("names of any length are compared quickly") {
  const std::vector<std::string> names(500, "randomized_greedy");
  const std::string longest(10'000'000, 'r');
  CHECK(nearest_name(longest, names).empty());
}

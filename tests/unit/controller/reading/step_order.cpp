// SPDX-License-Identifier: Apache-2.0
#include "controller/reading/read_recovery.h"

#include <vector>

#include "catch.h"

namespace nandscape::controller {
namespace {

using Steps = std::vector<int>;

Steps all(StepOrder order) {
  Steps steps;
  for (unsigned n = 0; n < order.size(); ++n) steps.push_back(order[n]);
  return steps;
}

TEST_CASE("steps are tried once each, outwards from the first") {
  CHECK(all({0, 3}) == Steps{0, 1, 2, 3});
  CHECK(all({2, 5}) == Steps{2, 3, 1, 4, 0, 5});
  CHECK(all({4, 5}) == Steps{4, 5, 3, 2, 1, 0});
  CHECK(all({0, 254}).size() == 255);
}

TEST_CASE("with an upward search, steps above the first come before those below it") {
  CHECK(all({0, 3, StepSearch::upwards}) == Steps{0, 1, 2, 3});
  CHECK(all({2, 5, StepSearch::upwards}) == Steps{2, 3, 4, 5, 1, 0});
  CHECK(all({5, 5, StepSearch::upwards}) == Steps{5, 4, 3, 2, 1, 0});
  CHECK(all({100, 254, StepSearch::upwards}).size() == 255);
}

}  // namespace
}  // namespace nandscape::controller

// SPDX-License-Identifier: Apache-2.0
#include "controller/reading/retry_order.h"

#include <utility>
#include <vector>

#include "catch.h"

namespace nandscape {
namespace {

using Attempts = std::vector<std::pair<int, int>>;

Attempts all(RetryOrder order) {
  Attempts attempts;
  while (!order.exhausted()) {
    const ReadAttempt attempt = order.next();
    attempts.emplace_back(attempt.step, attempt.sensing_levels);
    CHECK(order.tried() == attempts.size());
  }
  return attempts;
}

TEST_CASE("steps are tried once each, outwards from the first") {
  CHECK(all({0, 3}) == Attempts{{0, 1}, {1, 1}, {2, 1}, {3, 1}});
  CHECK(all({2, 5}) == Attempts{{2, 1}, {3, 1}, {1, 1}, {4, 1}, {0, 1}, {5, 1}});
  CHECK(all({4, 5}) == Attempts{{4, 1}, {5, 1}, {3, 1}, {2, 1}, {1, 1}, {0, 1}});
}

TEST_CASE("at each step, sensing levels are tried one after the other") {
  CHECK(all({0, 1, 3}) == Attempts{{0, 1}, {0, 2}, {0, 3}, {1, 1}, {1, 2}, {1, 3}});
  CHECK(all({1, 2, 2}) == Attempts{{1, 1}, {1, 2}, {2, 1}, {2, 2}, {0, 1}, {0, 2}});
  CHECK(all({0, 254, 7}).size() == 255 * 7);
}

}  // namespace
}  // namespace nandscape

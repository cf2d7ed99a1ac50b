// SPDX-License-Identifier: Apache-2.0
#include "core/time_at_limit.h"

#include <catch2/catch.hpp>

using namespace nandscape;

TEST_CASE("a limit counts the time in which it holds work back, however often it is set") {
  TimeAtLimit limit;
  limit.set(false, 5);
  CHECK(limit.total(10) == 0);
  limit.set(true, 10);
  limit.set(true, 12);
  CHECK(limit.holds_back());
  CHECK(limit.total(15) == 5);
  limit.set(false, 20);
  limit.set(false, 25);
  CHECK_FALSE(limit.holds_back());
  CHECK(limit.total(30) == 10);
  limit.set(true, 40);
  limit.set(false, 40);
  limit.set(true, 50);
  CHECK(limit.total(51) == 11);
}

TEST_CASE("the time counted survives an archive") {
  TimeAtLimit limit;
  limit.set(true, 10);
  limit.set(false, 17);
  Archive written;
  limit.persist(written);
  const std::vector<std::byte> bytes = written.take();
  Archive reading(bytes);
  TimeAtLimit other;
  other.persist(reading);
  reading.finish();
  CHECK(other.total(100) == 7);
}

// SPDX-License-Identifier: Apache-2.0
// Requests end to end: driver, link, controller, device and back.
#include <numeric>

#include "catch.h"
#include "unit/host/host_bench.h"

using namespace nandscape;

TEST_CASE("the driver brings the controller up and learns what it is") {
  HostBench bench;
  bench.start();
  REQUIRE(bench.driver.driver().ready());
  const ControllerFacts& facts = bench.driver.driver().controller();
  CHECK(facts.namespace_sectors == (std::uint64_t{1} << 16) * 32);
  CHECK(facts.max_transfer_bytes == 256 * 1024);
  CHECK(facts.max_queue_entries == 1024);
}

// SPDX-License-Identifier: Apache-2.0
// Tests devices with odd dimensions and with the smallest permitted number of spare blocks. Each device must work, or
// be refused with an error that explains the reason.
#include <string>

#include "core/error.h"
#include "random_accesses.h"

namespace nandscape {
namespace {

// Returns the smallest permitted over-provisioning, which is parsed from the error message.
double least_over_provisioning(FlashDeviceParameters p) {
  p.controller.mapping.over_provisioning = 0;
  try {
    const FlashBench bench(p);
  } catch (const ConfigError& error) {
    CHECK(error.path() == "controller.mapping.over_provisioning");
    const std::string before = "it must be at least ";
    const std::size_t at = error.complaint().find(before);
    REQUIRE(at != std::string::npos);
    return std::stod(error.complaint().substr(at + before.size()));
  }
  FAIL("a device without spare blocks was built");
  return 0;
}

// Writes about twice the capacity of the device, with random writes of whole pages and parts of pages between reads,
// trims and flushes. Checks all data that are read.
void use(const FlashDeviceParameters& p) {
  FlashBench bench(p, true);
  const auto accesses = static_cast<int>(4 * bench.device.ftl().logical_pages());
  constexpr int depth = 12;
  RandomAccesses random(bench, 3, accesses, depth);
  random.flushes = true;
  random.late_reads = p.controller.mapping.unit_bytes != 0;
  bench.run();
  CHECK(random.completed_accesses() == accesses + depth);
  CHECK(bench.idle());
  CHECK(bench.device.ftl().counters().collection.victims > 0);
  random.verify();
}

TEST_CASE("devices with odd dimensions work with the fewest spares allowed") {
  const Shape shape = GENERATE(Shape{1, 1, 1, 1, 12, 12},  // a single plane
                               Shape{3, 1, 1, 2, 12, 12}, Shape{1, 1, 5, 1, 12, 12}, Shape{1, 1, 1, 7, 12, 12},
                               Shape{1, 1, 2, 1, 13, 25},  // the last wordline is incomplete
                               Shape{3, 1, 5, 7, 9, 7});
  FlashDeviceParameters p = tiny_device(shape);
  p.nand.coding = GENERATE("tlc_232", "slc");
  if (p.nand.coding == "slc") p.nand.timing.t_read_us = {60};
  p.controller.power_loss.protection =
      GENERATE(controller::PowerLossProtection::capacitor, controller::PowerLossProtection::none);
  p.controller.mapping.unit_bytes = GENERATE(0u, 1024u);
  p.controller.mapping.over_provisioning = least_over_provisioning(p);
  CAPTURE(shape.channels, shape.dies, shape.planes, shape.blocks, shape.pages, p.nand.coding,
          static_cast<int>(p.controller.power_loss.protection), p.controller.mapping.unit_bytes,
          p.controller.mapping.over_provisioning);
  use(p);
}

TEST_CASE("devices without spare blocks are refused with the reason") {
  FlashDeviceParameters p = tiny_device({1, 1, 1, 1, 4, 12});
  p.controller.mapping.over_provisioning = 100;
  CHECK_THROWS_WITH(FlashBench(p), ContainsSubstring("controller.mapping.over_provisioning") &&
                                       ContainsSubstring("of a plane's 4 blocks, 4 are kept back") &&
                                       ContainsSubstring("give the planes more blocks"));
}

}  // namespace
}  // namespace nandscape

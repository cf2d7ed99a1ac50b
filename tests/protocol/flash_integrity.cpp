// SPDX-License-Identifier: Apache-2.0
// Overwrites data many times on devices of many shapes and with many settings, and checks all data that are read.
#include "random_accesses.h"

namespace nandscape {
namespace {

TEST_CASE("data survive on devices of every shape") {
  const Shape shape = GENERATE(values<Shape>({{1, 1, 1, 1, 10, 8},
                                              {1, 1, 1, 2, 9, 7},
                                              {1, 1, 2, 3, 11, 5},
                                              {1, 2, 1, 4, 8, 16},
                                              {2, 1, 1, 1, 13, 3},
                                              {2, 3, 1, 2, 8, 12},
                                              {3, 2, 2, 2, 7, 9},
                                              {2, 1, 3, 6, 10, 1},
                                              {5, 1, 1, 16, 6, 2}}));
  FlashDeviceParameters p = tiny_device(shape);
  p.controller.precondition.occupancy = GENERATE(0.0, 1.0);
  CAPTURE(shape.channels, shape.chips, shape.dies, shape.planes, shape.blocks, shape.pages);
  check_integrity(p, 1, 8000, 48);
}

TEST_CASE("data survive in rows with parity, in sets of any size") {
  const auto [shape, stripe_dies] = GENERATE(table<Shape, std::uint32_t>({{{1, 1, 2, 1, 16, 8}, 2},
                                                                          {{3, 1, 1, 2, 15, 7}, 3},
                                                                          {{2, 2, 1, 1, 16, 5}, 4},
                                                                          {{2, 3, 1, 2, 14, 12}, 2},
                                                                          {{5, 1, 1, 3, 14, 6}, 5}}));
  FlashDeviceParameters p = tiny_device(shape);
  p.controller.parity.stripe_dies = stripe_dies;
  p.controller.streams.policy.name = GENERATE("single", "by_source", "hot_cold");
  p.controller.mapping.unit_bytes = GENERATE(0u, 1024u);
  p.controller.power_loss.protection =
      GENERATE(controller::PowerLossProtection::capacitor, controller::PowerLossProtection::none);
  // Pages that hold several units are not always full, so these devices need more spare blocks.
  const double kept_back = p.controller.mapping.unit_bytes == 0 ? 10 : 12;
  p.controller.mapping.over_provisioning = 1.001 * shape.blocks / (shape.blocks - kept_back) - 1;
  CAPTURE(shape.channels, stripe_dies, p.controller.streams.policy.name, p.controller.mapping.unit_bytes,
          static_cast<int>(p.controller.power_loss.protection));
  check_integrity(p, 5, 3000, 32);
}

TEST_CASE("data survive under every policy of the scheduler") {
  FlashDeviceParameters p = tiny_device({1, 2, 2, 2, 9, 8}, "PDWC");
  p.controller.scheduler.policy.name = GENERATE("fifo", "out_of_order");
  p.controller.scheduler.suspend = GENERATE(controller::Suspend::none, controller::Suspend::program,
                                            controller::Suspend::erase, controller::Suspend::program_erase);
  p.controller.scheduler.multi_plane = GENERATE(false, true);
  p.controller.scheduler.cache_read = GENERATE(false, true);
  p.channel.arbitration = GENERATE(channel::BusArbitration::command_first, channel::BusArbitration::response_first);
  CAPTURE(p.controller.scheduler.policy.name, static_cast<int>(p.channel.arbitration),
          static_cast<int>(p.controller.scheduler.suspend), p.controller.scheduler.multi_plane,
          p.controller.scheduler.cache_read);
  check_integrity(p, 2, 5000, 32);
}

TEST_CASE("data survive at every depth of the queue") {
  const int depth = GENERATE(1, 2, 7, 300);
  check_integrity(tiny_device({2, 1, 1, 2, 9, 6}), 3, 20000, depth);
}

TEST_CASE("data survive with any limits of garbage collection") {
  FlashDeviceParameters p = tiny_device({1, 1, 2, 2, 12, 6});
  p.controller.garbage_collection.start_free_blocks = GENERATE(2u, 3u, 5u);
  p.controller.garbage_collection.reserved_blocks = GENERATE(1u, 2u, 4u);
  if (p.controller.garbage_collection.reserved_blocks >= p.controller.garbage_collection.start_free_blocks) return;
  p.controller.garbage_collection.pages_in_flight = GENERATE(1u, 3u, 100u);
  p.controller.mapping.over_provisioning =
      1.001 * 12 / (12 - 2.0 - p.controller.garbage_collection.start_free_blocks) - 1;
  CAPTURE(p.controller.garbage_collection.start_free_blocks, p.controller.garbage_collection.reserved_blocks,
          p.controller.garbage_collection.pages_in_flight);
  check_integrity(p, 4, 5000, 32);
}

}  // namespace
}  // namespace nandscape

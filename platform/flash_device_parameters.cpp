// SPDX-License-Identifier: Apache-2.0
#include "platform/flash_device_parameters.h"

#include <array>

#include "controller/controller.h"
#include "nand/timing.h"

namespace nandscape {

Geometry geometry_of(const FlashDeviceParameters& p) {
  const NandGeometryParameters& n = p.nand.geometry;
  return {.channels = p.channel.count,
          .chips_per_channel = n.chips_per_channel,
          .dies_per_chip = n.dies_per_chip,
          .planes_per_die = n.planes_per_die,
          .blocks_per_plane = n.blocks_per_plane,
          .pages_per_block = n.pages_per_block,
          .page_bytes = n.page_bytes,
          .spare_bytes = n.spare_bytes};
}

std::span<const FlashDeviceCheck> flash_device_checks() {
  static constexpr std::array<FlashDeviceCheck, 6> checks = {
      [](const FlashDeviceParameters& p) { check(p.channel); },
      [](const FlashDeviceParameters& p) { check(p.nand.geometry, p.channel.count); },
      [](const FlashDeviceParameters& p) { check(p.ecc, p.nand.geometry.page_bytes); },
      [](const FlashDeviceParameters& p) { static_cast<void>(NandTiming(p.nand)); },
      [](const FlashDeviceParameters& p) { static_cast<void>(exported_pages(p.controller, geometry_of(p))); },
      [](const FlashDeviceParameters& p) {
        check(p.controller.precondition, geometry_of(p), exported_pages(p.controller, geometry_of(p)),
              p.controller.garbage_collection.start_free_blocks);
      },
  };
  return checks;
}

}  // namespace nandscape

// SPDX-License-Identifier: Apache-2.0
// Finds the place of a page of the flash without dividing, since every command needs it several times.
#pragma once

#include <cstdint>

#include "controller/addresses/ids.h"
#include "core/divisor.h"
#include "protocol/geometry.h"

namespace nandscape::controller {

struct Place {
  ChannelId channel;
  FlashPlane plane;
  FlashBlock block;
  std::uint32_t die_of_channel;
  std::uint32_t plane_of_die;
  std::uint32_t block_of_plane;
  std::uint32_t page_of_block;
};

class PlaceFinder {
 public:
  explicit PlaceFinder(const Geometry& g)
      : pages_per_block_(g.pages_per_block),
        blocks_per_plane_(g.blocks_per_plane),
        planes_per_die_(g.planes_per_die),
        dies_per_channel_(g.dies_per_channel()) {}

  Place find(FlashPage page) const {
    const std::uint64_t block = pages_per_block_.quotient(page.value);
    const std::uint64_t plane = blocks_per_plane_.quotient(block);
    const std::uint64_t die = planes_per_die_.quotient(plane);
    const std::uint64_t channel = dies_per_channel_.quotient(die);
    const auto narrow = [](std::uint64_t n) { return static_cast<std::uint32_t>(n); };
    return {.channel = ChannelId(narrow(channel)),
            .plane = FlashPlane(narrow(plane)),
            .block = FlashBlock(narrow(block)),
            .die_of_channel = narrow(die - channel * dies_per_channel_.value()),
            .plane_of_die = narrow(plane - die * planes_per_die_.value()),
            .block_of_plane = narrow(block - plane * blocks_per_plane_.value()),
            .page_of_block = narrow(page.value - block * pages_per_block_.value())};
  }

 private:
  Divisor pages_per_block_;
  Divisor blocks_per_plane_;
  Divisor planes_per_die_;
  Divisor dies_per_channel_;
};

}  // namespace nandscape::controller

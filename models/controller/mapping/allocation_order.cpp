// SPDX-License-Identifier: Apache-2.0
#include "controller/mapping/allocation_order.h"

#include <algorithm>
#include <string>

namespace nandscape::controller {

const std::vector<Choice>& allocation_orders() {
  static const std::vector<std::string> names = [] {
    std::vector<std::string> all;
    std::string letters = "CDPW";
    do all.push_back(letters);
    while (std::next_permutation(letters.begin(), letters.end()));
    return all;
  }();
  static const std::vector<Choice> choices = [] {
    std::vector<Choice> all(names.size());
    for (std::size_t k = 0; k < names.size(); ++k) {
      all[k] = {names[k], "C channel, W way (chip), D die, P plane; first varies fastest"};
    }
    return all;
  }();
  return choices;
}

namespace {

// Returns the plane at the given position in one round over all planes of the flash.
FlashPlane plane_in_order(std::string_view order, const Geometry& g, std::uint32_t position) {
  std::uint32_t channel = 0, way = 0, die = 0, plane = 0;
  for (const char letter : order) {
    const auto take = [&](std::uint32_t& digit, std::uint32_t base) {
      digit = position % base;
      position /= base;
    };
    switch (letter) {
      case 'C': take(channel, g.channels); break;
      case 'W': take(way, g.chips_per_channel); break;
      case 'D': take(die, g.dies_per_chip); break;
      case 'P': take(plane, g.planes_per_die); break;
    }
  }
  return FlashPlane(((channel * g.chips_per_channel + way) * g.dies_per_chip + die) * g.planes_per_die + plane);
}

}  // namespace

AllocationOrder::AllocationOrder(std::string_view order, const FlashLayout& layout, std::uint32_t together)
    : together_(together),
      planes_(layout.mapping().planes()),
      plane_at_(layout.mapping().planes()),
      position_of_(layout.mapping().planes()) {
  for (std::uint32_t position = 0; position < planes_.value(); ++position) {
    const FtlPlane plane = layout.spans_planes()
                               ? FtlPlane(position)
                               : layout.mapping_plane(plane_in_order(order, layout.flash(), position));
    plane_at_[position] = plane;
    position_of_[plane] = position;
  }
}

std::uint64_t AllocationOrder::slots(FtlPlane plane, std::uint64_t pages) const {
  const std::uint64_t round = planes_.value() * std::uint64_t{together_.value()};
  const std::uint64_t begin = position_of_[plane] * std::uint64_t{together_.value()};
  const std::uint64_t rest = pages % round;
  const std::uint64_t of_last_round = rest > begin ? std::min<std::uint64_t>(rest - begin, together_.value()) : 0;
  return pages / round * together_.value() + of_last_round;
}

}  // namespace nandscape::controller

// SPDX-License-Identifier: Apache-2.0
#include "controller/mapping/allocation_order.h"

#include <set>
#include <string>

#include "catch.h"

namespace nandscape::controller {
namespace {

// All four numbers differ, so that the test notices if two of them are exchanged.
const Geometry geometry{.channels = 3,
                        .chips_per_channel = 2,
                        .dies_per_chip = 5,
                        .planes_per_die = 4,
                        .blocks_per_plane = 1,
                        .pages_per_block = 1};
const FlashLayout layout(geometry, geometry.page_bytes);

// Returns the coordinate of the plane that is named by a letter of the allocation order.
std::uint32_t digit(char letter, FtlPlane plane) {
  switch (letter) {
    case 'P': return plane.value % 4;
    case 'D': return plane.value / 4 % 5;
    case 'W': return plane.value / (4 * 5) % 2;
    default: return plane.value / (4 * 5 * 2);
  }
}
std::uint32_t base(char letter) { return letter == 'P' ? 4 : letter == 'D' ? 5 : letter == 'W' ? 2 : 3; }

TEST_CASE("there are 24 different orders") {
  std::set<std::string> names;
  for (const Choice& choice : allocation_orders()) {
    std::string letters(choice.name);
    names.insert(letters);
    std::sort(letters.begin(), letters.end());
    CHECK(letters == "CDPW");
  }
  CHECK(names.size() == 24);
  CHECK(allocation_orders().size() == 24);
}

TEST_CASE("every order is a bijection whose letters count up in turn, the first one fastest") {
  for (const Choice& choice : allocation_orders()) {
    INFO(choice.name);
    const AllocationOrder order(choice.name, layout);
    std::set<FtlPlane> planes;
    for (std::uint64_t lpn = 0; lpn < geometry.planes(); ++lpn) {
      const FtlPlane plane = order.plane_of(Lpn(lpn));
      planes.insert(plane);
      std::uint64_t rest = lpn;
      for (const char letter : choice.name) {
        REQUIRE(digit(letter, plane) == rest % base(letter));
        rest /= base(letter);
      }
    }
    CHECK(planes.size() == geometry.planes());
  }
}

TEST_CASE("slots number the pages of a plane, and can be mapped back to them") {
  const AllocationOrder order("WPCD", layout);
  const std::uint64_t pages = GENERATE(0, 1, 119, 120, 121, 1000);
  std::vector<std::uint64_t> next_slot(geometry.planes());
  for (std::uint64_t lpn = 0; lpn < pages; ++lpn) {
    const FtlPlane plane = order.plane_of(Lpn(lpn));
    REQUIRE(order.slot_of(Lpn(lpn)) == next_slot[plane.value]++);
    REQUIRE(order.lpn_at(plane, order.slot_of(Lpn(lpn))) == Lpn(lpn));
  }
  for (std::uint32_t plane = 0; plane < geometry.planes(); ++plane) {
    REQUIRE(order.slots(FtlPlane(plane), pages) == next_slot[plane]);
  }
}

}  // namespace
}  // namespace nandscape::controller

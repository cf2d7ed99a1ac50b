// SPDX-License-Identifier: Apache-2.0
#include <cstdint>
#include <memory>
#include <string>

#include "catch.h"
#include "controller/mapping/allocation_policy.h"
#include "controller/mapping/capacity_plan.h"
#include "fakes/mapping_fixture.h"

namespace nandscape::controller {
namespace {

MappingParameters mostly_spare() {
  MappingParameters p;
  p.over_provisioning = 10;
  return p;
}

// A drive with two channels of two dies with two planes each, which are planes 0 to 7. The allocation order alternates
// between the channels first, and then between the dies: 0 4 2 6 1 5 3 7.
struct Planes {
  FtlPlane choose(const std::string& policy, std::uint32_t by_address, std::uint32_t last) const {
    const NewUnit unit{Lpn(by_address), 0, FtlPlane(by_address), FtlPlane(last)};
    return allocation_registry().make({policy, nullptr}, planes.count())->choose(unit, planes);
  }
  void close(std::uint32_t plane) {
    room.close(FtlPlane(plane));
    room.count_again();
  }

  MappingFixture mapping{Geometry{.channels = 2,
                                  .dies_per_chip = 2,
                                  .planes_per_die = 2,
                                  .blocks_per_plane = 8,
                                  .pages_per_block = 4,
                                  .page_bytes = 4096},
                         16,
                         {.occupancy = 0}};
  BlockTable blocks{mapping.geometry, mapping.fill};
  CapacityPlan plan{mostly_spare(), mapping.layout, {.start_free_blocks = 1}};
  PlaneRoom room{plan, mapping.order, blocks, 16, false};
  IdVector<FtlPlane, std::uint32_t> backlogs{mapping.geometry.planes()};
  PlaneView planes{mapping.layout, mapping.order, room, backlogs};
};

TEST_CASE("every allocation policy chooses a plane with room, and none when no plane has room") {
  for (const Choice& variant : allocation_registry().variants()) {
    INFO(variant.name);
    Planes drive;
    const std::string name(variant.name);
    for (std::uint32_t closed = 0; closed < drive.planes.count(); ++closed) {
      for (std::uint32_t plane = 0; plane < drive.planes.count(); ++plane) {
        const FtlPlane chosen = drive.choose(name, plane, plane);
        REQUIRE(chosen.valid());
        CHECK(drive.planes.has_room(chosen));
      }
      drive.close(closed);
    }
    CHECK_FALSE(drive.choose(name, 0, 0).valid());
  }
}

TEST_CASE("by_address chooses the plane of the address, or the next one in allocation order") {
  Planes drive;
  drive.backlogs[FtlPlane(3)] = 100;
  CHECK(drive.choose("by_address", 3, 0) == FtlPlane(3));
  drive.close(3);
  CHECK(drive.choose("by_address", 3, 0) == FtlPlane(7));
  drive.close(7);
  CHECK(drive.choose("by_address", 3, 0) == FtlPlane(0));
  CHECK_FALSE(allocation_registry().make({"by_address", nullptr}, 8)->gathers());
}

TEST_CASE("least_busy chooses the smallest backlog, and among equals the next plane after the last") {
  Planes drive;
  CHECK(drive.choose("least_busy", 0, 7) == FtlPlane(0));
  CHECK(drive.choose("least_busy", 0, 0) == FtlPlane(4));
  CHECK(drive.choose("least_busy", 0, 4) == FtlPlane(2));
  for (const FtlPlane plane : drive.backlogs.places()) drive.backlogs[plane] = 2;
  drive.backlogs[FtlPlane(5)] = 1;
  drive.backlogs[FtlPlane(6)] = 1;
  CHECK(drive.choose("least_busy", 0, 4) == FtlPlane(6));
  CHECK(drive.choose("least_busy", 0, 6) == FtlPlane(5));
  drive.close(5);
  CHECK(drive.choose("least_busy", 0, 6) == FtlPlane(6));
  CHECK(allocation_registry().make({"least_busy", nullptr}, 8)->gathers());
}

// In this drive, two planes share a die, and two dies share a channel.
TEST_CASE("a policy sees the die and channel of a plane, unless it has several") {
  const Planes drive;
  for (std::uint32_t plane = 0; plane < 8; ++plane) {
    CHECK(drive.planes.die(FtlPlane(plane)) == DieId(plane / 2));
    CHECK(drive.planes.channel(FtlPlane(plane)) == ChannelId(plane / 4));
  }
  for (const std::uint32_t dies : {1u, 2u}) {
    const FlashLayout layout(drive.mapping.layout.flash(), 4096, {.dies = dies, .all_planes = true});
    const AllocationOrder order("CWDP", layout);
    const PlaneView planes(layout, order, drive.room, drive.backlogs);
    for (std::uint32_t plane = 0; plane < planes.count(); ++plane) {
      CHECK(planes.die(FtlPlane(plane)).valid() == (dies == 1));
      CHECK(planes.channel(FtlPlane(plane)).valid() == (dies == 1));
    }
  }
}

}  // namespace
}  // namespace nandscape::controller

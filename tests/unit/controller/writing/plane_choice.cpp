// SPDX-License-Identifier: Apache-2.0
#include "controller/writing/plane_choice.h"

#include "catch.h"
#include "fakes/fake_drive.h"

namespace nandscape::controller {
namespace {

ControllerParameters with_half_pages(const char* policy) {
  ControllerParameters p = small_controller();
  p.mapping.unit_bytes = 2048;
  p.mapping.plane.name = policy;
  return p;
}

TEST_CASE("by address, each unit goes to the plane of its address") {
  FakeDrive b(two_planes, with_half_pages("by_address"));
  for (const std::uint64_t lpn : {0, 1, 2, 5}) {
    CHECK(b.writing.planes.plane_for(0, Lpn(lpn)) == b.mapping.order.plane_of(Lpn(lpn)));
  }
}

TEST_CASE("units that share a page go to one plane, whatever their addresses") {
  FakeDrive b(two_planes, with_half_pages("least_busy"));
  const FtlPlane first = b.writing.planes.plane_for(0, Lpn(0));
  FakeUnit unit(b);
  unit.data = b.bytes(1);
  b.writing.assembly.put(unit, PageOrigin::host, 0, first);
  CHECK(b.writing.planes.plane_for(0, Lpn(2)) == first);
  FakeUnit other(b);
  other.data = b.bytes(1);
  b.writing.assembly.put(other, PageOrigin::host, 0, first);  // fills the page
  CHECK(b.writing.planes.plane_for(0, Lpn(2)) != first);
}

TEST_CASE("while the drive saves, the planes take turns, and one without room is left out") {
  FakeDrive b(two_planes, with_half_pages("by_address"));
  const FtlPlane first = b.writing.planes.plane_in_turn(0);
  const FtlPlane second = b.writing.planes.plane_in_turn(0);
  CHECK(first != second);
  CHECK(b.writing.planes.plane_in_turn(0) == first);
  b.mapping.room.close(second);
  b.mapping.room.count_again();
  CHECK(b.writing.planes.plane_in_turn(0) == first);
}

}  // namespace
}  // namespace nandscape::controller

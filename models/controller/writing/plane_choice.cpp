// SPDX-License-Identifier: Apache-2.0
#include "controller/writing/plane_choice.h"

namespace nandscape::controller {

FtlPlane PlaneChooser::plane_for(std::uint8_t stream, Lpn lpn, bool gathered) {
  const FtlPlane by_address = order_.plane_of(lpn);
  FtlPlane plane;
  if (gathers_ || gathered) {
    FtlPlane& last = last_[stream];
    // Continue on the plane where a page is being filled, so that gathered units share a page.
    plane = assembly_.filling(stream, last) ? last
                                            : policy_.choose({lpn, stream, by_address, gathering_on(stream)}, planes_);
    if (plane.valid()) last = plane;
  } else {
    plane = policy_.choose({lpn, stream, by_address, FtlPlane()}, planes_);
  }
  if (plane.valid() && plane != by_address) room_.set_planes_mixed();
  return plane;
}

FtlPlane PlaneChooser::plane_in_turn(std::uint8_t stream) {
  FtlPlane& last = last_[stream];
  if (!assembly_.filling(stream, last)) {
    const FtlPlane plane = planes_.with_room(planes_.next(last));
    if (!plane.valid()) return plane;
    last = plane;
    room_.set_planes_mixed();
  }
  return last;
}

bool PlaneChooser::takes_any(FtlPlane plane) {
  if (!planes_.has_room(plane)) return false;
  room_.set_planes_mixed();
  return true;
}

}  // namespace nandscape::controller

// SPDX-License-Identifier: Apache-2.0
#include "controller/writing/plane_choice.h"

namespace nandscape::controller {

FtlPlane PlaneChooser::plane_for(std::uint8_t stream, Lpn lpn, bool gathered) {
  const bool by_address = choice_ == PlaneChoice::by_address;
  if (by_address && !gathered) return room_.with_room(order_.plane_of(lpn), false);
  FtlPlane& last = last_[stream];
  // Units that come together share a page.
  if (assembly_.filling(stream, last)) {
    if (by_address && last != order_.plane_of(lpn)) room_.set_planes_mixed();
    return last;
  }
  if (by_address) {
    const FtlPlane plane = room_.with_room(order_.plane_of(lpn), false);
    if (plane.valid()) last = plane;
    return plane;
  }
  FtlPlane best;
  FtlPlane plane = order_.next(last);
  for (std::uint32_t k = 0; k < planes_; ++k, plane = order_.next(plane)) {
    if (room_.with_room(plane, false) != plane) continue;
    if (!best.valid() || writer_.backlog(plane) < writer_.backlog(best)) best = plane;
  }
  if (best.valid()) last = best;
  return best;
}

}  // namespace nandscape::controller

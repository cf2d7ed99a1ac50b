// SPDX-License-Identifier: Apache-2.0
#include "controller/mapping/allocation_policy.h"

namespace nandscape::controller {

DieId PlaneView::die(FtlPlane plane) const {
  const Geometry& flash = layout_.flash();
  const DieId first = flash.die_of(layout_.flash_plane(plane, 0));
  for (std::uint32_t member = 1; member < layout_.member_planes(); ++member) {
    if (flash.die_of(layout_.flash_plane(plane, member)) != first) return DieId();
  }
  return first;
}

ChannelId PlaneView::channel(FtlPlane plane) const {
  const Geometry& flash = layout_.flash();
  const auto of_member = [&](std::uint32_t member) {
    return flash.channel_of(flash.die_of(layout_.flash_plane(plane, member)));
  };
  for (std::uint32_t member = 1; member < layout_.member_planes(); ++member) {
    if (of_member(member) != of_member(0)) return ChannelId();
  }
  return of_member(0);
}

}  // namespace nandscape::controller

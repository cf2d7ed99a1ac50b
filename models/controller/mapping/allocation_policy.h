// SPDX-License-Identifier: Apache-2.0
// Chooses the plane for new data. Moved data stay on their plane.
#pragma once

#include <cstdint>

#include "controller/addresses/flash_layout.h"
#include "controller/addresses/ids.h"
#include "controller/mapping/allocation_order.h"
#include "controller/mapping/plane_room.h"
#include "core/archive.h"
#include "core/ids.h"
#include "core/registry.h"

namespace nandscape::controller {

// The planes of the mapping, as a policy sees them.
class PlaneView {
 public:
  PlaneView(const FlashLayout& layout, const AllocationOrder& order, const PlaneRoom& room,
            const IdVector<FtlPlane, std::uint32_t>& backlogs)
      : layout_(layout), order_(order), room_(room), backlogs_(backlogs) {}

  std::uint32_t count() const { return layout_.mapping().planes(); }
  // The next plane in the order of the static allocation.
  FtlPlane next(FtlPlane plane) const { return order_.next(plane); }
  // Whether the plane takes new data.
  [[nodiscard]] bool has_room(FtlPlane plane) const { return room_.with_room(plane, false) == plane; }
  // Returns the plane if it has room, else the next plane with room; an invalid id if no plane has room.
  FtlPlane with_room(FtlPlane plane) const { return room_.with_room(plane, false); }
  // The number of pages for the plane that are not programmed yet.
  std::uint32_t backlog(FtlPlane plane) const { return backlogs_[plane]; }
  // The plane's die and channel, numbered over the device; invalid ids if its superblocks are on several dies or
  // channels.
  DieId die(FtlPlane plane) const;
  ChannelId channel(FtlPlane plane) const;

 private:
  const FlashLayout& layout_;
  const AllocationOrder& order_;
  const PlaneRoom& room_;
  const IdVector<FtlPlane, std::uint32_t>& backlogs_;
};

// A unit that needs a plane.
struct NewUnit {
  Lpn lpn;
  std::uint8_t stream;  // as WriteStreams numbers them
  FtlPlane by_address;  // the plane that the static allocation gives its address
  FtlPlane last;        // plane of the stream's latest unit, if units are gathered; else invalid
};

class AllocationPolicy {
 public:
  virtual ~AllocationPolicy() = default;

  // Whether consecutive units of a stream share a page, whatever their addresses. Then choose() is called once for the
  // page. Otherwise it is called for each unit, which shares a page with others on its plane.
  virtual bool gathers() const { return true; }
  // Returns a plane that has room; an invalid id if no plane has.
  virtual FtlPlane choose(const NewUnit& unit, const PlaneView& planes) = 0;
  // Saves or restores the state that the policy keeps between choices.
  virtual void persist(Archive&) {}
};

// Policies are made for a number of planes.
using AllocationRegistry = Registry<AllocationPolicy, std::uint32_t>;
AllocationRegistry& allocation_registry();

}  // namespace nandscape::controller

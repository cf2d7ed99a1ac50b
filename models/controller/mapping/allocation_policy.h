// SPDX-License-Identifier: Apache-2.0
// Chooses the plane for new data. Data that are moved, for example by collection, stay on their plane.
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

// The state of the mapping planes that a policy may use for its choice.
class PlaneView {
 public:
  PlaneView(const FlashLayout& layout, const AllocationOrder& order, const PlaneRoom& room,
            const IdVector<FtlPlane, std::uint32_t>& backlogs)
      : layout_(layout), order_(order), room_(room), backlogs_(backlogs) {}

  std::uint32_t count() const { return layout_.mapping().planes(); }
  // Returns the plane that follows `plane` in the order of the static allocation.
  FtlPlane next(FtlPlane plane) const { return order_.next(plane); }
  // Whether the plane has room for new data.
  [[nodiscard]] bool has_room(FtlPlane plane) const { return room_.with_room(plane, false) == plane; }
  // Returns `plane` if it has room, or else the next plane that has room. Returns an invalid id if no plane has room.
  FtlPlane with_room(FtlPlane plane) const { return room_.with_room(plane, false); }
  // The number of pages that are assigned to the plane and not yet programmed.
  std::uint32_t backlog(FtlPlane plane) const { return backlogs_[plane]; }
  // The die and channel of the plane, numbered over the device. Returns an invalid id if the superblocks of the plane
  // extend over several dies or channels.
  DieId die(FtlPlane plane) const { return layout_.die_of(plane); }
  ChannelId channel(FtlPlane plane) const { return layout_.channel_of(plane); }

 private:
  const FlashLayout& layout_;
  const AllocationOrder& order_;
  const PlaneRoom& room_;
  const IdVector<FtlPlane, std::uint32_t>& backlogs_;
};

// A unit for which a plane is to be chosen.
struct NewUnit {
  Lpn lpn;
  std::uint8_t stream;  // number of the write stream, see WriteStreams
  FtlPlane by_address;  // the plane of its address in the static allocation
  FtlPlane last;        // plane of the stream's latest unit if gathers(), else invalid
};

class AllocationPolicy {
 public:
  virtual ~AllocationPolicy() = default;

  // Whether consecutive units of a stream share a page, whatever their addresses. If so, choose() is called once for
  // each page. Otherwise choose() is called for each unit, and units of the same plane share a page.
  virtual bool gathers() const { return true; }
  // Returns a plane that has room, or an invalid id if no plane has room.
  virtual FtlPlane choose(const NewUnit& unit, const PlaneView& planes) = 0;
  // Saves or restores the state that the policy keeps from one choice to the next.
  virtual void persist(Archive&) {}
};

// Constructs policies by name. The argument of each constructor is the number of mapping planes.
using AllocationRegistry = Registry<AllocationPolicy, std::uint32_t>;
AllocationRegistry& allocation_registry();

}  // namespace nandscape::controller

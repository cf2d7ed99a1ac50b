// SPDX-License-Identifier: Apache-2.0
// Which plane new data go to. What moves stays on its plane. Variants: by_address, least_busy.
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
  // The plane behind that one, in the order of the static allocation.
  FtlPlane next(FtlPlane plane) const { return order_.next(plane); }
  // Whether new data may go there.
  bool has_room(FtlPlane plane) const { return room_.with_room(plane, false) == plane; }
  // That plane or, where it has no room, the next one that has; an invalid id when none has.
  FtlPlane with_room(FtlPlane plane) const { return room_.with_room(plane, false); }
  // Pages that are on their way to the plane, and not programmed yet.
  std::uint32_t backlog(FtlPlane plane) const { return backlogs_[plane]; }
  // Where the plane lies, numbered over the device; invalid ids where its superblocks lie on several dies, or on
  // several channels.
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
  FtlPlane last;        // where units of the stream gather, the plane that the latest of them went to; else invalid
};

class AllocationPolicy {
 public:
  virtual ~AllocationPolicy() = default;

  // Whether units of a stream that come together share a page, whatever their addresses: then the policy is asked once
  // for the page. Else it is asked for each unit, which shares a page with others that go to its plane.
  virtual bool gathers() const { return true; }
  // A plane that has room; an invalid id when none has.
  virtual FtlPlane choose(const NewUnit& unit, const PlaneView& planes) = 0;
  // What it remembers between choices.
  virtual void persist(Archive&) {}
};

// Made for so many planes.
using AllocationRegistry = Registry<AllocationPolicy, std::uint32_t>;
const AllocationRegistry& allocation_registry();

}  // namespace nandscape::controller

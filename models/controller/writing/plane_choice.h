// SPDX-License-Identifier: Apache-2.0
// Chooses the plane of the mapping for new data. The allocation policy decides, except that units which share a page go
// to one plane.
#pragma once

#include <cstdint>
#include <vector>

#include "controller/mapping/allocation_order.h"
#include "controller/mapping/allocation_policy.h"
#include "controller/mapping/plane_room.h"
#include "controller/writing/page_assembly.h"
#include "core/archive.h"
#include "core/component.h"

namespace nandscape::controller {

class PlaneChooser final : public Component {
 public:
  PlaneChooser(AllocationPolicy& policy, const PlaneView& planes, const AllocationOrder& order, PlaneRoom& room,
               const PageAssembly& assembly, std::size_t streams)
      : policy_(policy),
        gathers_(policy.gathers()),
        planes_(planes),
        order_(order),
        room_(room),
        assembly_(assembly),
        last_(streams, FtlPlane(planes.count() - 1)) {}

  // The plane for a unit of the stream; an invalid id if no plane has room. `gathered` units share pages with units
  // that come with them, whatever their addresses.
  FtlPlane plane_for(std::uint8_t stream, Lpn lpn, bool gathered = false);
  // Like plane_for(), but for a drive that saves: takes the planes in turn without asking the policy, so that no plane
  // takes longer than the others.
  FtlPlane plane_in_turn(std::uint8_t stream);
  // Whether the plane takes units of any address.
  [[nodiscard]] bool takes_any(FtlPlane plane);
  // The plane that took the stream's latest unit, if units are gathered; else an invalid id.
  FtlPlane gathering_on(std::uint8_t stream) const { return gathers_ ? last_[stream] : FtlPlane(); }

  void persist(Archive& archive) override {
    archive.table(last_, last_.size(), "streams",
                  [&](FtlPlane& plane) { archive.index(plane, planes_.count(), "the plane that was written last"); });
  }

 private:
  AllocationPolicy& policy_;
  const bool gathers_;
  const PlaneView planes_;
  const AllocationOrder& order_;
  PlaneRoom& room_;
  const PageAssembly& assembly_;
  std::vector<FtlPlane> last_;  // by stream: plane of the latest unit that could share its page
};

}  // namespace nandscape::controller

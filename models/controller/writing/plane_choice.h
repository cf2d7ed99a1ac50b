// SPDX-License-Identifier: Apache-2.0
// Chooses the plane of the mapping to which new data are written. The allocation policy chooses it, but units that are
// to share a page are sent to the same plane.
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

  // Returns the plane for a unit of the stream, or an invalid id if no plane has room. If `gathered` is true, the unit
  // shares pages with the units that arrive at about the same time, whatever their addresses.
  FtlPlane plane_for(std::uint8_t stream, Lpn lpn, bool gathered = false);
  // Returns the plane for a unit while the drive saves its data after a loss of supply. The planes are used in turn,
  // without asking the policy, so that all planes finish at about the same time.
  FtlPlane plane_in_turn(std::uint8_t stream);
  // Returns whether the plane has room. If so, it is assumed that units of any address will be written to it.
  [[nodiscard]] bool takes_any(FtlPlane plane);
  // Returns the plane to which the latest unit of the stream was written, if units are gathered into pages. Otherwise
  // returns an invalid id.
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
  std::vector<FtlPlane> last_;  // for each stream, the plane of the latest unit that could share its page with others
};

}  // namespace nandscape::controller

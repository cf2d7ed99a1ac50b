// SPDX-License-Identifier: Apache-2.0
// Which plane of the mapping new data go to: as the allocation policy says, but that units share pages.
#pragma once

#include <cstdint>
#include <vector>

#include "controller/mapping/allocation_order.h"
#include "controller/mapping/allocation_policy.h"
#include "controller/mapping/plane_room.h"
#include "controller/writing/page_assembly.h"
#include "core/archive.h"

namespace nandscape::controller {

class PlaneChooser {
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

  // For a unit of the stream; an invalid id when there is no room on any plane. Gathered units share a page with others
  // that come with them, whatever their addresses.
  FtlPlane plane_for(std::uint8_t stream, Lpn lpn, bool gathered = false);
  // Likewise, while the drive saves: planes in turn, whatever the policy, so that none takes longer than others.
  FtlPlane plane_in_turn(std::uint8_t stream);
  // Whether units may go to that plane, whatever their addresses.
  bool takes_any(FtlPlane plane);
  // Where units of the stream gather, the plane that the latest of them went to; else none.
  FtlPlane gathering_on(std::uint8_t stream) const { return gathers_ ? last_[stream] : FtlPlane(); }

  void persist(Archive& archive) {
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
  std::vector<FtlPlane> last_;  // by stream: where the latest unit went that could share its page
};

}  // namespace nandscape::controller

// SPDX-License-Identifier: Apache-2.0
// Which plane of the mapping new data go to.
#pragma once

#include <cstdint>
#include <vector>

#include "controller/mapping/allocation_order.h"
#include "controller/mapping/parameters.h"
#include "controller/mapping/plane_room.h"
#include "controller/writing/page_assembly.h"
#include "controller/writing/page_writer.h"
#include "core/archive.h"

namespace nandscape::controller {

class PlaneChooser {
 public:
  PlaneChooser(PlaneChoice choice, const AllocationOrder& order, PlaneRoom& room, const PageAssembly& assembly,
               const PageWriter& writer, std::uint32_t planes, std::size_t streams)
      : choice_(choice),
        order_(order),
        room_(room),
        assembly_(assembly),
        writer_(writer),
        planes_(planes),
        last_(streams, FtlPlane(planes - 1)) {}

  // For a unit of the stream; an invalid id when there is no room on any plane. Gathered units share a page with others
  // that come with them, whatever their addresses.
  FtlPlane plane_for(std::uint8_t stream, Lpn lpn, bool gathered = false);
  // The plane that the stream's latest unit went to, as far as it was not bound to one; none by addresses.
  FtlPlane least_busy_before(std::uint8_t stream) const {
    return choice_ == PlaneChoice::least_busy ? last_[stream] : FtlPlane();
  }

  void persist(Archive& archive) {
    archive.table(last_, last_.size(), "streams",
                  [&](FtlPlane& plane) { archive.index(plane, planes_, "the plane that was written last"); });
  }

 private:
  const PlaneChoice choice_;
  const AllocationOrder& order_;
  PlaneRoom& room_;
  const PageAssembly& assembly_;
  const PageWriter& writer_;
  const std::uint32_t planes_;
  std::vector<FtlPlane> last_;  // by stream: where its latest write went that was not bound to a plane
};

}  // namespace nandscape::controller

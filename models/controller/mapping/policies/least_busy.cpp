// SPDX-License-Identifier: Apache-2.0
#include "controller/mapping/allocation_policy.h"

namespace nandscape::controller {

namespace {

class LeastBusy final : public AllocationPolicy {
 public:
  using Parameters = NoParameters;
  LeastBusy(const Parameters&, std::uint32_t planes) : planes_(planes) {}

  FtlPlane choose(const NewUnit& unit, const PlaneView& planes) override {
    FtlPlane best;
    FtlPlane plane = planes.next(unit.last);
    for (std::uint32_t k = 0; k < planes_; ++k, plane = planes.next(plane)) {
      if (!planes.has_room(plane)) continue;
      if (!best.valid() || planes.backlog(plane) < planes.backlog(best)) best = plane;
    }
    return best;
  }

 private:
  const std::uint32_t planes_;
};

}  // namespace

void register_least_busy(AllocationRegistry& registry) {
  registry.add<LeastBusy>(
      "least_busy",
      "the plane with the fewest pages still to be programmed; among equals, the next one in the allocation order");
}

}  // namespace nandscape::controller

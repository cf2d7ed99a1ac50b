// SPDX-License-Identifier: Apache-2.0
#include "controller/mapping/allocation_policy.h"

namespace nandscape::controller {

namespace {

class ByAddress final : public AllocationPolicy {
 public:
  using Parameters = NoParameters;
  ByAddress(const Parameters&, std::uint32_t /*planes*/) {}

  bool gathers() const override { return false; }
  FtlPlane choose(const NewUnit& unit, const PlaneView& planes) override { return planes.with_room(unit.by_address); }
};

}  // namespace

void register_by_address(AllocationRegistry& registry) {
  registry.add<ByAddress>("by_address", "the plane that the allocation assigns to the logical page");
}

}  // namespace nandscape::controller

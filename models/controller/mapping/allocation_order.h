// SPDX-License-Identifier: Apache-2.0
// Static plane allocation: which plane a logical page lives on. The order names what consecutive pages are spread over
// first: CWDP goes round the channels first, then the ways (chips) of a channel, the dies of a chip, the planes of a
// die [Tavakkol et al., TOMPECS 2016]. All 24 orders of the four letters are allowed.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "core/divisor.h"
#include "core/ids.h"
#include "core/parameters.h"
#include "protocol/geometry.h"

namespace nandscape {

// The 24 orders, for the schema.
const std::vector<Choice>& allocation_orders();

class AllocationOrder {
 public:
  AllocationOrder(std::string_view order, const Geometry& geometry);

  PlaneId plane_of(Lpn lpn) const { return plane_at_[planes_.remainder(lpn.value)]; }
  // Which of the logical pages of its plane it is.
  std::uint64_t slot_of(Lpn lpn) const { return planes_.quotient(lpn.value); }
  Lpn lpn_at(PlaneId plane, std::uint64_t slot) const {
    return Lpn(slot * plane_at_.size() + position_of_[plane.value]);
  }
  // How many of the first `pages` logical pages live on the plane.
  std::uint64_t slots(PlaneId plane, std::uint64_t pages) const {
    return (pages + plane_at_.size() - 1 - position_of_[plane.value]) / plane_at_.size();
  }

 private:
  Divisor planes_;
  std::vector<PlaneId> plane_at_;           // by position in one round over all planes
  std::vector<std::uint32_t> position_of_;  // by plane
};

}  // namespace nandscape

// SPDX-License-Identifier: Apache-2.0
// Static plane allocation: assigns a plane to each logical page. The order is given as four letters that name the
// levels over which consecutive pages are spread; the first level varies fastest. For example, CWDP goes through the
// channels first, then the ways (chips) of a channel, the dies of a chip, and the planes of a die [Tavakkol et al.,
// TOMPECS 2016]. All 24 orders of the four letters are allowed.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "controller/addresses/flash_layout.h"
#include "controller/addresses/ids.h"
#include "core/divisor.h"
#include "core/ids.h"
#include "core/parameters.h"

namespace nandscape::controller {

// Returns the 24 orders, as the choices of a configuration key.
const std::vector<Choice>& allocation_orders();

class AllocationOrder {
 public:
  // `together` is the number of consecutive logical pages that share a flash page and therefore stay on one plane.
  AllocationOrder(std::string_view order, const FlashLayout& layout, std::uint32_t together = 1);

  std::uint32_t together() const { return together_.value(); }
  FtlPlane plane_of(Lpn lpn) const { return plane_at_[planes_.remainder(together_.quotient(lpn.value))]; }
  // Returns the plane at this position in a round over all planes.
  FtlPlane plane_at(std::uint32_t position) const { return plane_at_[position]; }
  // Returns the plane that follows `plane` in this order.
  FtlPlane next(FtlPlane plane) const { return plane_at_[planes_.remainder(std::uint64_t{position_of_[plane]} + 1)]; }
  // Returns the index of the logical page among the logical pages of its plane.
  std::uint64_t slot_of(Lpn lpn) const {
    const std::uint64_t group = together_.quotient(lpn.value);
    return planes_.quotient(group) * together_.value() + (lpn.value - group * together_.value());
  }
  Lpn lpn_at(FtlPlane plane, std::uint64_t slot) const {
    const std::uint64_t round = together_.quotient(slot);
    return Lpn((round * plane_at_.size() + position_of_[plane]) * together_.value() +
               (slot - round * together_.value()));
  }
  // Returns how many of the first `pages` logical pages belong to the plane.
  std::uint64_t slots(FtlPlane plane, std::uint64_t pages) const;

 private:
  Divisor together_;
  Divisor planes_;
  std::vector<FtlPlane> plane_at_;                 // by position in one round over all planes
  IdVector<FtlPlane, std::uint32_t> position_of_;  // by plane
};

}  // namespace nandscape::controller

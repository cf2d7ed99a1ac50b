// SPDX-License-Identifier: Apache-2.0
#include "controller/mapping/plane_room.h"

#include <algorithm>

namespace nandscape::controller {

PlaneRoom::PlaneRoom(const CapacityPlan& plan, const AllocationOrder& order, const BlockTable& blocks,
                     std::uint64_t units, bool in_order)
    : plan_(plan),
      order_(order),
      blocks_(blocks),
      units_(units),
      in_order_(in_order),
      closed_(blocks.geometry().planes()),
      victims_in_vain_(blocks.geometry().planes()),
      new_units_(blocks.geometry().planes()) {}

std::uint64_t PlaneRoom::of(FtlPlane plane) const {
  if (closed_[plane] || gains_nothing(plane)) return 0;
  return plan_.of_plane(blocks_.good_blocks(plane) - blocks_.journal_blocks(plane));
}

std::uint64_t PlaneRoom::of_all() const {
  std::uint64_t sum = 0;
  for (const FtlPlane plane : closed_.places()) {
    if (!closed_[plane]) sum += plan_.of_plane(blocks_.good_blocks(plane));
  }
  return sum - std::min(sum, plan_.of_journal());
}

FtlPlane PlaneRoom::with_room(FtlPlane plane, bool moved) const {
  if (no_place_left_) return FtlPlane();
  if (in_order_ || (moved && !retired_)) return plane;
  FtlPlane other = plane;
  for (std::size_t k = 0; k < closed_.size(); ++k, other = order_.next(other)) {
    if (blocks_.valid_in_plane(other) < of(other)) return other;
  }
  // If no block is retired, all exported data fit, so the plane still has space.
  return retired_ ? FtlPlane() : plane;
}

bool PlaneRoom::count_again() {
  retired_ = true;
  in_order_ = false;
  room_ = of_all();
  return room_ > units_;
}

double PlaneRoom::available_spare_percent() const {
  if (!retired_) return 100;
  const FtlGeometry& g = blocks_.geometry();
  const std::uint64_t at_first = plan_.of_plane(g.blocks_per_plane()) * g.planes() - plan_.of_journal();
  if (room_ <= units_ || at_first <= units_) return 0;
  return 100.0 * static_cast<double>(room_ - units_) / static_cast<double>(at_first - units_);
}

void PlaneRoom::persist(Archive& archive) {
  archive(in_order_, retired_, no_place_left_);
  archive.table(closed_.values(), closed_.size(), "planes that may be closed");
}

void PlaneRoom::check(Archive& archive) {
  bool retired = false;
  for (const Superblock block : blocks_.geometry().every_block()) {
    retired |= blocks_.state(block) == BlockTable::State::retired;
  }
  archive.require(!retired_ || !in_order_,
                  "blocks are retired, but all data are marked as being on the planes of their addresses");
  archive.require(retired_ || !retired, "blocks are retired, but the drive is marked as having none");
  room_ = retired_ ? of_all() : 0;
}

}  // namespace nandscape::controller

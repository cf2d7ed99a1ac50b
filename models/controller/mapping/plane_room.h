// SPDX-License-Identifier: Apache-2.0
// Tells which planes of the mapping have room for more data. As long as all blocks are good, all exported data fit on
// the planes of their addresses. Failed blocks take room away until none is left.
#pragma once

#include <cstdint>
#include <vector>

#include "controller/addresses/ids.h"
#include "controller/mapping/allocation_order.h"
#include "controller/mapping/block_table.h"
#include "controller/mapping/capacity_plan.h"
#include "core/archive.h"
#include "core/component.h"

namespace nandscape::controller {

class PlaneRoom final : public Component {
 public:
  // `in_order`: all data are on the planes of their addresses, where they fit. `units`: the most units that are ever
  // stored.
  PlaneRoom(const CapacityPlan& plan, const AllocationOrder& order, const BlockTable& blocks, std::uint64_t units,
            bool in_order);

  // Returns `plane` if it has room for more data, or else another plane that has; an invalid id if none has. As long as
  // no block is retired, moved data stay on their plane, since moving adds no data to it.
  FtlPlane with_room(FtlPlane plane, bool moved) const;

  // From now on, data may also be on planes other than those of their addresses.
  void set_planes_mixed() { in_order_ = false; }
  bool no_place_left() const { return no_place_left_; }
  void set_no_place_left() { no_place_left_ = true; }
  // From now on, nothing is written to the plane.
  void close(FtlPlane plane) { closed_[plane] = true; }

  // Blocks were retired, or planes closed. Returns whether there is room for all stored data.
  bool count_again();
  // The share of the initial spare room that remains.
  double available_spare_percent() const;

  // New data were given a page of the plane.
  void new_data_placed(FtlPlane plane) {
    new_units_[plane] += blocks_.units_per_page();
    gained(plane);
  }
  // Number of units in the pages of the plane that were given to new data so far.
  std::uint64_t new_units(FtlPlane plane) const { return new_units_[plane]; }

  // Number of victims taken on the plane since the last call of gained(), for example since the plane had enough room
  // or new data were written. Each victim gains at least one flash page. As many victims as a block has flash pages
  // therefore gain a whole block, unless something else uses up the gain.
  std::uint64_t victims_in_vain(FtlPlane plane) const { return victims_in_vain_[plane]; }
  void victim_taken(FtlPlane plane) { ++victims_in_vain_[plane]; }
  void gained(FtlPlane plane) { victims_in_vain_[plane] = 0; }
  bool gains_nothing(FtlPlane plane) const {
    const std::uint64_t most =
        std::uint64_t{blocks_.good_blocks(plane)} + blocks_.geometry().units_per_block() / blocks_.units_per_page();
    return victims_in_vain_[plane] > most;
  }

  void persist(Archive& archive) override;
  // Call this once the whole state has been restored.
  void check(Archive& archive);

 private:
  std::uint64_t of(FtlPlane plane) const;
  std::uint64_t of_all() const;

  const CapacityPlan& plan_;
  const AllocationOrder& order_;
  const BlockTable& blocks_;
  const std::uint64_t units_;
  bool in_order_;
  bool retired_ = false;        // whether there are retired blocks or closed planes
  bool no_place_left_ = false;  // no plane has room, not even for data that have to move
  std::uint64_t room_ = 0;      // room of all planes, once retired_
  IdVector<FtlPlane, bool> closed_;
  IdVector<FtlPlane, std::uint64_t> victims_in_vain_;
  IdVector<FtlPlane, std::uint64_t> new_units_;
};

}  // namespace nandscape::controller

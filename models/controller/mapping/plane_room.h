// SPDX-License-Identifier: Apache-2.0
// Determines which planes of the mapping have room for more data. As long as no block has failed, all exported data fit
// on the planes that the static allocation assigns to them. Failed blocks reduce the room until no plane has room.
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
  // `units` is the maximum number of units that the drive ever stores. `in_order` means that all data are stored on the
  // planes that the static allocation assigns to their addresses; such data always fit.
  PlaneRoom(const CapacityPlan& plan, const AllocationOrder& order, const BlockTable& blocks, std::uint64_t units,
            bool in_order);

  // Returns `plane` if it has room for more data, or else another plane that has room. Returns an invalid id if no
  // plane has room. As long as no block is retired, moved data stay on their plane, because moving data within a plane
  // does not increase the amount of its data.
  FtlPlane with_room(FtlPlane plane, bool moved) const;

  // Records that, from now on, data may also be stored on other planes than those of their addresses.
  void set_planes_mixed() { in_order_ = false; }
  bool no_place_left() const { return no_place_left_; }
  void set_no_place_left() { no_place_left_ = true; }
  // Excludes the plane from now on: no more data are written to it.
  void close(FtlPlane plane) { closed_[plane] = true; }

  // Called when blocks have been retired or planes closed. Recalculates the room, and returns whether all stored data
  // still fit.
  bool count_again();
  // Returns the share of the initial spare room that remains, in percent.
  double available_spare_percent() const;

  // Called when a page of the plane has been assigned to new data.
  void new_data_placed(FtlPlane plane) {
    new_units_[plane] += blocks_.units_per_page();
    gained(plane);
  }
  // The number of units in the plane's pages that have been assigned to new data so far.
  std::uint64_t new_units(FtlPlane plane) const { return new_units_[plane]; }

  // The number of victims taken on the plane since the last call of gained(). gained() is called, for example, when the
  // plane has enough room or when new data are written to it. Each victim gains at least one flash page. Therefore,
  // after as many victims as a block has flash pages, a whole block must have been gained unless something else has
  // used up the gain.
  std::uint64_t victims_in_vain(FtlPlane plane) const { return victims_in_vain_[plane]; }
  void victim_taken(FtlPlane plane) { ++victims_in_vain_[plane]; }
  void gained(FtlPlane plane) { victims_in_vain_[plane] = 0; }
  bool gains_nothing(FtlPlane plane) const {
    const std::uint64_t most =
        std::uint64_t{blocks_.good_blocks(plane)} + blocks_.geometry().units_per_block() / blocks_.units_per_page();
    return victims_in_vain_[plane] > most;
  }

  void persist(Archive& archive) override;
  // Checks the restored state against the blocks. Must be called after the whole state of the drive has been restored.
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
  std::uint64_t room_ = 0;      // room of all planes; valid if retired_ is set
  IdVector<FtlPlane, bool> closed_;
  IdVector<FtlPlane, std::uint64_t> victims_in_vain_;
  IdVector<FtlPlane, std::uint64_t> new_units_;
};

}  // namespace nandscape::controller

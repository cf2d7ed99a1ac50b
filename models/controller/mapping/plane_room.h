// SPDX-License-Identifier: Apache-2.0
// Which planes of the mapping have room for more data. As long as all blocks are good, all that is exported fits where
// its addresses say; blocks that fail take room away, until there is none.
#pragma once

#include <cstdint>
#include <vector>

#include "controller/addresses/ids.h"
#include "controller/mapping/allocation_order.h"
#include "controller/mapping/block_table.h"
#include "controller/mapping/capacity_plan.h"
#include "core/archive.h"

namespace nandscape::controller {

class PlaneRoom {
 public:
  // `in_order`: all data lie on the planes of their addresses, where they fit. So many units are stored at most.
  PlaneRoom(const CapacityPlan& plan, const AllocationOrder& order, const BlockTable& blocks, std::uint64_t units,
            bool in_order);

  // The plane, or another one that has room for more data; an invalid id when no plane has. Moved data stay on their
  // plane, which holds no more for it, as long as it has all of its blocks.
  FtlPlane with_room(FtlPlane plane, bool moved) const;

  // Data lie on other planes than they were written for, from now on.
  void set_planes_mixed() { in_order_ = false; }
  bool no_place_left() const { return no_place_left_; }
  void set_no_place_left() { no_place_left_ = true; }
  // Nothing more is written to the plane.
  void close(FtlPlane plane) { closed_[plane] = true; }

  // Blocks were retired, or planes closed. Returns whether there is room for all that is stored.
  bool count_again();
  // Of the room that the device could do without at first.
  double available_spare_percent() const;

  // Victims of a plane that were emptied since there was room enough, or something new was written. Each gains a page
  // at least, so that so many gain a block, if nothing takes it all.
  std::uint64_t victims_in_vain(FtlPlane plane) const { return victims_in_vain_[plane]; }
  void victim_taken(FtlPlane plane) { ++victims_in_vain_[plane]; }
  void gained(FtlPlane plane) { victims_in_vain_[plane] = 0; }
  bool gains_nothing(FtlPlane plane) const {
    const std::uint64_t most =
        std::uint64_t{blocks_.good_blocks(plane)} + blocks_.geometry().units_per_block() / blocks_.units_per_page();
    return victims_in_vain_[plane] > most;
  }

  void persist(Archive& archive);
  // After all of it was read.
  void check(Archive& archive);

 private:
  std::uint64_t of(FtlPlane plane) const;
  std::uint64_t of_all() const;

  const CapacityPlan& plan_;
  const AllocationOrder& order_;
  const BlockTable& blocks_;
  const std::uint64_t units_;
  bool in_order_;
  bool retired_ = false;        // there are retired blocks, or closed planes
  bool no_place_left_ = false;  // not even for what has to move
  std::uint64_t room_ = 0;      // of all planes since then
  IdVector<FtlPlane, bool> closed_;
  IdVector<FtlPlane, std::uint64_t> victims_in_vain_;
};

}  // namespace nandscape::controller

// SPDX-License-Identifier: Apache-2.0
// Where on flash the mapping's places lie. The mapping counts in mapping units, a flash page or a part of one, and in
// planes and blocks of its own:
//
//   without parity   a plane and a block of the mapping are those of the flash
//   with parity      a plane of the mapping is the planes of the same number of `superblock_dies` dies. Its
//                    blocks are superblocks, one block of each member; row r of a superblock is page r of all members.
//                    One page of each row holds the parity of the others, on the members in turn.
//   over layers      a block of the mapping is four blocks of a plane that begin in different quarters of the layers
//                    (NandParameters), so that row r, page r of all members, has a page in each quarter
//
// Within a block of the mapping, units are numbered along each page, pages along each row, rows one after the other;
// pages that hold parity have no number. Ppn, BlockId and PlaneId in the controller are those of the mapping, unless
// they are said to be of the flash.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "controller/mapping/place.h"
#include "core/divisor.h"
#include "core/ids.h"
#include "protocol/geometry.h"

namespace nandscape::controller {

// Blocks that make one over all layers, and parts that the layers are in.
inline constexpr std::uint32_t layer_quarters = 4;

class FlashLayout {
 public:
  // A page holds a whole number of units. superblock_dies 0: no parity; else it divides the number of dies. Without
  // parity, blocks may lie over_layers; then their number on a plane is a multiple of layer_quarters.
  FlashLayout(const Geometry& flash, std::uint32_t unit_bytes, std::uint32_t superblock_dies, bool over_layers = false);

  const Geometry& flash() const { return flash_; }
  // What the mapping counts in: its pages are mapping units.
  const Geometry& mapping() const { return mapping_; }
  std::uint32_t units_per_page() const { return units_.value(); }
  std::uint32_t unit_bytes() const { return mapping_.page_bytes; }

  // Blocks of the flash that make a block of the mapping.
  std::uint32_t members() const { return members_; }
  bool has_parity() const { return members_ > 1 && !over_layers_; }
  bool over_layers() const { return over_layers_; }
  // Planes of the flash that the members lie on.
  std::uint32_t member_planes() const { return over_layers_ ? 1 : members_; }
  std::uint32_t data_pages_per_row() const { return pages_per_row(); }
  std::uint32_t units_per_row() const { return pages_per_row() * units_per_page(); }
  // The member whose page of that row holds the parity; none without parity.
  bool is_parity(std::uint32_t row, std::uint32_t member) const { return has_parity() && row % members_ == member; }

  // Planes of the flash, and back.
  PlaneId flash_plane(PlaneId plane, std::uint32_t member) const {
    return has_parity() ? flash_planes_[plane.value * members_ + member] : plane;
  }
  PlaneId mapping_plane(PlaneId flash_plane) const {
    return has_parity() ? PlaneId(positions_[flash_plane.value] / members_) : flash_plane;
  }
  std::uint32_t member_of(PlaneId flash_plane) const {
    return has_parity() ? positions_[flash_plane.value] % members_ : 0;
  }

  BlockId block_of(Ppn ppn) const { return BlockId(static_cast<std::uint32_t>(units_per_block_.quotient(ppn.value))); }
  std::uint32_t unit_in_block(Ppn ppn) const { return units_per_block_.remainder(ppn.value); }
  std::uint32_t unit_in_page(Ppn ppn) const { return units_.remainder(units_per_block_.remainder(ppn.value)); }

  // The first unit of the page in that row of that member, which does not hold parity.
  Ppn first_unit(BlockId block, std::uint32_t row, std::uint32_t member) const;
  // The page of the flash that the unit lies in.
  Place find(Ppn ppn) const;
  // A page of the flash that may hold parity.
  Place find(BlockId block, std::uint32_t row, std::uint32_t member) const;
  Place flash_place(Ppn flash_page) const { return flash_places_.find(flash_page); }
  // The block that a block of the flash is or is a member of.
  BlockId holding(PlaneId flash_plane, std::uint32_t block_of_plane) const {
    const std::uint32_t members = over_layers_ ? members_ : 1;
    return mapping_.block(mapping_plane(flash_plane), block_of_plane / members);
  }
  std::uint32_t row_of(Ppn ppn) const {
    const auto page = static_cast<std::uint32_t>(units_.quotient(unit_in_block(ppn)));
    return page / pages_per_row();
  }
  // The first unit of a page of the flash, or an invalid Ppn when it holds parity.
  Ppn of_flash_page(Ppn flash_page) const;
  // The first unit of the page in the same row of another member, likewise.
  Ppn in_row(Ppn flash_page, std::uint32_t member) const;

 private:
  // That hold data.
  std::uint32_t pages_per_row() const { return has_parity() ? members_ - 1 : members_; }

  Geometry flash_;
  bool over_layers_;
  std::uint32_t members_;
  Divisor units_;
  Geometry mapping_;
  Divisor units_per_block_;
  Divisor blocks_per_plane_;
  PlaceFinder flash_places_;
  std::vector<PlaneId> flash_planes_;     // by plane of the mapping and member
  std::vector<std::uint32_t> positions_;  // of each plane of the flash in flash_planes_
};

}  // namespace nandscape::controller

// SPDX-License-Identifier: Apache-2.0
// Translates places in the mapping to places on flash, and back. The mapping has units, each a flash page or a part of
// one, and its own planes and blocks. A block of the mapping consists of one or more flash blocks, its members:
//
//   without parity   a plane and a block of the mapping are a plane and a block of the flash
//   with parity      a plane of the mapping consists of the planes with the same number on `superblock_dies` dies. Its
//                    blocks are superblocks with one block on each die; row r of a superblock is page r of all members.
//                    In each row, one page holds the parity of the other pages; the members take turns.
//   over layers      a block of the mapping consists of four blocks of a plane that begin in different quarters of the
//                    layers (NandParameters), so that row r, page r of all members, has a page in each quarter
//
// Within a block of the mapping, units are numbered along each page, pages along each row, and rows one after the
// other. Pages that hold parity have no number.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "controller/addresses/ftl_geometry.h"
#include "controller/addresses/ids.h"
#include "core/divisor.h"
#include "protocol/geometry.h"

namespace nandscape::controller {

// The place of a flash page, computed once, since each command needs it several times.
struct Place {
  ChannelId channel;
  FlashPlane plane;
  FlashBlock block;
  DieInChannel die_of_channel;
  PlaneInDie plane_of_die;
  BlockInPlane block_of_plane;
  std::uint32_t page_of_block;
};

class PlaceFinder {
 public:
  explicit PlaceFinder(const Geometry& geometry);

  Place find(FlashBlock block, std::uint32_t page) const {
    const FlashPlane plane(static_cast<std::uint32_t>(blocks_per_plane_.quotient(block.value)));
    const PlaneAddress& address = planes_[plane];
    return {.channel = address.channel,
            .plane = plane,
            .block = block,
            .die_of_channel = address.die,
            .plane_of_die = address.plane,
            .block_of_plane = BlockInPlane(block.value - plane.value * blocks_per_plane_.value()),
            .page_of_block = page};
  }
  Place find(FlashPage page) const {
    const std::uint64_t block = pages_per_block_.quotient(page.value);
    return find(FlashBlock(static_cast<std::uint32_t>(block)),
                static_cast<std::uint32_t>(page.value - block * pages_per_block_.value()));
  }

 private:
  struct PlaneAddress {
    ChannelId channel;
    DieInChannel die;
    PlaneInDie plane;
  };

  Divisor pages_per_block_;
  Divisor blocks_per_plane_;
  IdVector<FlashPlane, PlaneAddress> planes_;
};

// Number of flash blocks in a block over layers, one for each quarter of the layers.
inline constexpr std::uint32_t layer_quarters = 4;

class FlashLayout {
 public:
  // A page must hold a whole number of units. `superblock_dies` 0 means no parity; otherwise it must divide the number
  // of dies. Without parity, blocks may be `over_layers`; the number of flash blocks in a plane must then be a multiple
  // of layer_quarters.
  FlashLayout(const Geometry& flash, std::uint32_t unit_bytes, std::uint32_t superblock_dies, bool over_layers = false);

  const Geometry& flash() const { return flash_; }
  const FtlGeometry& mapping() const { return mapping_; }
  std::uint32_t units_per_page() const { return units_.value(); }
  std::uint32_t unit_bytes() const { return mapping_.unit_bytes(); }

  // Number of flash blocks in a block of the mapping.
  std::uint32_t members() const { return members_; }
  bool has_parity() const { return members_ > 1 && !over_layers_; }
  bool over_layers() const { return over_layers_; }
  // Number of flash planes that hold the members of a block.
  std::uint32_t member_planes() const { return over_layers_ ? 1 : members_; }
  std::uint32_t data_pages_per_row() const { return pages_per_row(); }
  std::uint32_t units_per_row() const { return pages_per_row() * units_per_page(); }
  // Whether the member's page in that row holds parity.
  bool is_parity(std::uint32_t row, std::uint32_t member) const { return has_parity() && row % members_ == member; }

  // Translate a plane of the mapping and a member to a plane of the flash, and back.
  FlashPlane flash_plane(FtlPlane plane, std::uint32_t member) const {
    return has_parity() ? flash_planes_[plane.value * members_ + member] : FlashPlane(plane.value);
  }
  FtlPlane mapping_plane(FlashPlane flash_plane) const {
    return FtlPlane(has_parity() ? positions_[flash_plane] / members_ : flash_plane.value);
  }
  std::uint32_t member_of(FlashPlane flash_plane) const {
    return has_parity() ? positions_[flash_plane] % members_ : 0;
  }

  Superblock block_of(Ppa ppa) const { return mapping_.block_of(ppa); }
  std::uint32_t unit_in_page(Ppa ppa) const { return units_.remainder(mapping_.unit_in_block(ppa)); }

  // Returns the first unit of the member's page in that row. The page must not hold parity.
  Ppa first_unit(Superblock block, std::uint32_t row, std::uint32_t member) const;
  // Returns the flash page that holds the unit.
  Place find(Ppa ppa) const { return find(block_of(ppa), ppa); }
  // Returns the flash page that holds a unit of that block.
  Place find(Superblock block, Ppa ppa) const {
    const auto page = static_cast<std::uint32_t>(units_.quotient(ppa.value - mapping_.unit(block, 0).value));
    return members_ == 1 ? flash_places_.find(FlashBlock(block.value), page) : find_member(block, page);
  }
  // Returns the member's page in that row, which may hold parity.
  Place find(Superblock block, std::uint32_t row, std::uint32_t member) const;
  Place flash_place(FlashPage flash_page) const { return flash_places_.find(flash_page); }
  // Returns the block of the mapping that contains the flash block or is the same block.
  Superblock holding(FlashPlane flash_plane, BlockInPlane block_of_plane) const {
    const std::uint32_t members = over_layers_ ? members_ : 1;
    return mapping_.block(mapping_plane(flash_plane), block_of_plane.value / members);
  }
  std::uint32_t row_of(Ppa ppa) const {
    const auto page = static_cast<std::uint32_t>(units_.quotient(mapping_.unit_in_block(ppa)));
    return page / pages_per_row();
  }
  // Returns the first unit of a flash page, or an invalid address if the page holds parity.
  Ppa of_flash_page(FlashPage flash_page) const;
  // Returns the first unit of another member's page in the same row, or an invalid address if that page holds parity.
  Ppa in_row(FlashPage flash_page, std::uint32_t member) const;

 private:
  // Returns the place of a block's page, which is on one of several members.
  Place find_member(Superblock block, std::uint32_t page) const;
  // Pages of a row that hold data.
  std::uint32_t pages_per_row() const { return has_parity() ? members_ - 1 : members_; }

  Geometry flash_;
  bool over_layers_;
  std::uint32_t members_;
  Divisor units_;
  FtlGeometry mapping_;
  PlaceFinder flash_places_;
  std::vector<FlashPlane> flash_planes_;           // indexed by plane of the mapping, then by member
  IdVector<FlashPlane, std::uint32_t> positions_;  // index of each plane of the flash in flash_planes_
};

}  // namespace nandscape::controller

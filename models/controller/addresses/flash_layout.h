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

// The place of a flash page, computed once, since each command needs it several times. PlaceFinder computes it without
// dividing.
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
  explicit PlaceFinder(const Geometry& g)
      : pages_per_block_(g.pages_per_block),
        blocks_per_plane_(g.blocks_per_plane),
        planes_per_die_(g.planes_per_die),
        dies_per_channel_(g.dies_per_channel()) {}

  Place find(FlashPage page) const {
    const std::uint64_t block = pages_per_block_.quotient(page.value);
    const std::uint64_t plane = blocks_per_plane_.quotient(block);
    const std::uint64_t die = planes_per_die_.quotient(plane);
    const std::uint64_t channel = dies_per_channel_.quotient(die);
    const auto narrow = [](std::uint64_t n) { return static_cast<std::uint32_t>(n); };
    return {.channel = ChannelId(narrow(channel)),
            .plane = FlashPlane(narrow(plane)),
            .block = FlashBlock(narrow(block)),
            .die_of_channel = DieInChannel(narrow(die - channel * dies_per_channel_.value())),
            .plane_of_die = PlaneInDie(narrow(plane - die * planes_per_die_.value())),
            .block_of_plane = BlockInPlane(narrow(block - plane * blocks_per_plane_.value())),
            .page_of_block = narrow(page.value - block * pages_per_block_.value())};
  }

 private:
  Divisor pages_per_block_;
  Divisor blocks_per_plane_;
  Divisor planes_per_die_;
  Divisor dies_per_channel_;
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
  Place find(Ppa ppa) const;
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

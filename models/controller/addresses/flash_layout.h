// SPDX-License-Identifier: Apache-2.0
// Translates addresses of the mapping to flash addresses, and back. The mapping has its own units, planes and blocks. A
// unit is a flash page or a part of a flash page. A block of the mapping consists of one or more flash blocks, called
// its members:
//
//   one member       a plane and a block of the mapping are a plane and a block of the flash
//   several planes   a plane of the mapping consists of planes of several dies: of all planes of these dies, or of the
//                    planes with the same number. Its blocks are superblocks with one block on each of the planes. Row
//                    r of a superblock is page r of all members. If there is parity, one page in each row holds the
//                    parity of the other pages; the members take turns.
//   over layers      a block of the mapping consists of four flash blocks of one plane. Their first pages are in
//                    different quarters of the layers (NandParameters). Row r consists of page r of all members, so
//                    each row has one page in each quarter.
//
// Units of a block are numbered in this order: first the units of the first page in row 0, then the units of the other
// pages in row 0, then the units in row 1, and so on. Pages that hold parity are skipped. The members on one die have
// consecutive numbers, and consecutive dies are on different channels if the drive has several.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "controller/addresses/ftl_geometry.h"
#include "controller/addresses/ids.h"
#include "core/divisor.h"
#include "protocol/geometry.h"

namespace nandscape::controller {

// The address of a flash page, split into its parts. It is computed once, because each command needs the parts several
// times.
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
  struct PlaneAddress {
    ChannelId channel;
    DieInChannel die;
    PlaneInDie plane;
  };

  explicit PlaceFinder(const Geometry& geometry);

  const PlaneAddress& address(FlashPlane plane) const { return planes_[plane]; }
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
  Divisor pages_per_block_;
  Divisor blocks_per_plane_;
  IdVector<FlashPlane, PlaneAddress> planes_;
};

// The number of flash blocks in a block that is spread over the layers: one for each quarter of the layers.
inline constexpr std::uint32_t layer_quarters = 4;

// The flash blocks that form a block of the mapping.
struct SuperblockMembers {
  // Returns the members of a superblock with parity over `dies` dies, or the single member if `dies` is 0.
  static SuperblockMembers stripe(std::uint32_t dies) { return {.dies = dies == 0 ? 1 : dies, .parity = dies != 0}; }

  std::uint32_t dies = 1;   // a divisor of the number of dies
  bool all_planes = false;  // whether there is a member on each plane of a die, and not only on one plane
  bool parity = false;      // whether one page of each row holds parity; requires several members
  // Whether the block consists of `layer_quarters` blocks of one plane. Excludes the other options. The number of flash
  // blocks in a plane must be a multiple of `layer_quarters`.
  bool over_layers = false;
};

class FlashLayout {
 public:
  // The size of a page must be a multiple of `unit_bytes`.
  FlashLayout(const Geometry& flash, std::uint32_t unit_bytes, const SuperblockMembers& members = {});

  const Geometry& flash() const { return flash_; }
  const FtlGeometry& mapping() const { return mapping_; }
  std::uint32_t units_per_page() const { return units_.value(); }
  std::uint32_t unit_bytes() const { return mapping_.unit_bytes(); }

  // The number of flash blocks in a block of the mapping.
  std::uint32_t members() const { return members_; }
  // The number of flash planes over which the members of a block are distributed.
  std::uint32_t member_planes() const { return spans_planes() ? members_ : 1; }
  // Whether the members of a block are on several planes, so that the block is a superblock.
  bool spans_planes() const { return members_ > 1 && !over_layers_; }
  // The number of members on each die of a superblock.
  std::uint32_t members_per_die() const { return members_per_die_; }
  bool has_parity() const { return has_parity_; }
  bool over_layers() const { return over_layers_; }
  std::uint32_t data_pages_per_row() const { return pages_per_row(); }
  std::uint32_t units_per_row() const { return pages_per_row() * units_per_page(); }
  // Returns whether page `row` of this member holds parity.
  bool is_parity(std::uint32_t row, std::uint32_t member) const {
    return has_parity_ && divisor_of_members_.remainder(row) == member;
  }

  // These functions translate a plane of the mapping and the index of a member to a plane of the flash, and back.
  FlashPlane flash_plane(FtlPlane plane, std::uint32_t member) const {
    return spans_planes() ? flash_planes_[plane.value * members_ + member] : FlashPlane(plane.value);
  }
  FtlPlane mapping_plane(FlashPlane flash_plane) const {
    return spans_planes() ? positions_[flash_plane].plane : FtlPlane(flash_plane.value);
  }
  std::uint32_t member_of(FlashPlane flash_plane) const { return spans_planes() ? positions_[flash_plane].member : 0; }

  // Return the die and the channel on which all members of the plane's blocks are, numbered over the device, or an
  // invalid id if the members are on several.
  DieId die_of(FtlPlane plane) const;
  ChannelId channel_of(FtlPlane plane) const;

  Superblock block_of(Ppa ppa) const { return mapping_.block_of(ppa); }
  std::uint32_t unit_in_page(Ppa ppa) const { return units_.remainder(mapping_.unit_in_block(ppa)); }

  // Returns the first unit of page `row` of the member. The page must not hold parity.
  Ppa first_unit(Superblock block, std::uint32_t row, std::uint32_t member) const {
    return mapping_.unit(block, (members_ == 1 ? row : page_of_member(row, member)) * units_.value());
  }
  // Returns the flash page that holds the unit.
  Place find(Ppa ppa) const { return find(block_of(ppa), ppa); }
  // The same for a unit that is known to be in `block`, which saves a division.
  Place find(Superblock block, Ppa ppa) const {
    return members_ == 1 ? find_in_one(block, ppa) : find_member(block, page_in_block(block, ppa));
  }
  // The same if each block of the mapping is one flash block.
  Place find_in_one(Superblock block, Ppa ppa) const {
    return flash_places_.find(FlashBlock(block.value), page_in_block(block, ppa));
  }
  // Returns the flash page of the member in this row. The page may hold parity.
  Place find(Superblock block, std::uint32_t row, std::uint32_t member) const {
    return members_ == 1 ? flash_places_.find(FlashBlock(block.value), row) : find_row(block, row, member);
  }
  // Returns the parts of the address that all pages of the plane share.
  const PlaceFinder::PlaneAddress& address(FlashPlane plane) const { return flash_places_.address(plane); }
  Place flash_place(FlashPage flash_page) const { return flash_places_.find(flash_page); }
  // Returns the mapping's block that contains the flash block.
  Superblock holding(FlashPlane flash_plane, BlockInPlane block_of_plane) const {
    const std::uint32_t members = over_layers_ ? members_ : 1;
    return mapping_.block(mapping_plane(flash_plane), block_of_plane.value / members);
  }
  std::uint32_t row_of(Ppa ppa) const {
    const auto page = static_cast<std::uint32_t>(units_.quotient(mapping_.unit_in_block(ppa)));
    return static_cast<std::uint32_t>(pages_per_row_.quotient(page));
  }
  // Returns the first unit of a flash page, or an invalid address if the page holds parity.
  Ppa of_flash_page(FlashPage flash_page) const;
  // Returns the first unit of another member's page in the same row, or an invalid address if that page holds parity.
  Ppa in_row(FlashPage flash_page, std::uint32_t member) const;

 private:
  // Returns the number of the unit's page among the data pages of `block`, which holds the unit.
  std::uint32_t page_in_block(Superblock block, Ppa ppa) const {
    return static_cast<std::uint32_t>(units_.quotient(ppa.value - mapping_.unit(block, 0).value));
  }
  // These functions are for blocks with several members. find_member() returns the flash page that is the `page`-th
  // data page of the block, and page_of_member() returns the number of such a page. find_row() is find() for a row.
  Place find_member(Superblock block, std::uint32_t page) const;
  std::uint32_t page_of_member(std::uint32_t row, std::uint32_t member) const;
  Place find_row(Superblock block, std::uint32_t row, std::uint32_t member) const;
  // Returns the number of pages in a row that hold data rather than parity.
  std::uint32_t pages_per_row() const { return pages_per_row_.value(); }

  struct Position {
    FtlPlane plane;
    std::uint32_t member;
  };

  Geometry flash_;
  bool over_layers_;
  bool has_parity_;
  std::uint32_t members_;
  std::uint32_t members_per_die_;
  Divisor divisor_of_members_;
  Divisor pages_per_row_;
  Divisor units_;
  FtlGeometry mapping_;
  PlaceFinder flash_places_;
  std::vector<FlashPlane> flash_planes_;      // by plane of the mapping and member; only for superblocks
  IdVector<FlashPlane, Position> positions_;  // only for superblocks
};

}  // namespace nandscape::controller

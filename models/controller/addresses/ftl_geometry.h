// SPDX-License-Identifier: Apache-2.0
// Gives the numbers of planes, superblocks and mapping units of the drive, and converts between their ids. Superblocks
// are numbered plane by plane, and units superblock by superblock.
#pragma once

#include <cstdint>

#include "controller/addresses/ids.h"
#include "core/divisor.h"

namespace nandscape::controller {

class FtlGeometry {
 public:
  FtlGeometry(std::uint32_t planes, std::uint32_t blocks_per_plane, std::uint32_t units_per_block,
              std::uint32_t unit_bytes)
      : planes_(planes),
        blocks_per_plane_(blocks_per_plane),
        units_per_block_(units_per_block),
        unit_bytes_(unit_bytes) {}

  std::uint32_t planes() const { return planes_; }
  std::uint32_t blocks_per_plane() const { return blocks_per_plane_.value(); }
  std::uint32_t blocks() const { return planes() * blocks_per_plane(); }
  Places<FtlPlane> every_plane() const { return Places<FtlPlane>(planes()); }
  Places<Superblock> every_block() const { return Places<Superblock>(blocks()); }
  std::uint32_t units_per_block() const { return units_per_block_.value(); }
  std::uint64_t units_per_plane() const { return std::uint64_t{blocks_per_plane()} * units_per_block(); }
  std::uint64_t units() const { return std::uint64_t{blocks()} * units_per_block(); }
  std::uint32_t unit_bytes() const { return unit_bytes_; }

  FtlPlane plane_of(Superblock block) const {
    return FtlPlane(static_cast<std::uint32_t>(blocks_per_plane_.quotient(block.value)));
  }
  std::uint32_t block_in_plane(Superblock block) const { return blocks_per_plane_.remainder(block.value); }
  Superblock block_of(Ppa ppa) const {
    return Superblock(static_cast<std::uint32_t>(units_per_block_.quotient(ppa.value)));
  }
  std::uint32_t unit_in_block(Ppa ppa) const { return units_per_block_.remainder(ppa.value); }

  Superblock block(FtlPlane plane, std::uint32_t block_in_plane) const {
    return Superblock(plane.value * blocks_per_plane() + block_in_plane);
  }
  Ppa unit(Superblock block, std::uint32_t unit_in_block) const {
    return Ppa(std::uint64_t{block.value} * units_per_block() + unit_in_block);
  }

 private:
  std::uint32_t planes_;
  Divisor blocks_per_plane_;
  Divisor units_per_block_;
  std::uint32_t unit_bytes_;
};

}  // namespace nandscape::controller

// SPDX-License-Identifier: Apache-2.0
#include "controller/addresses/flash_layout.h"

#include <algorithm>

namespace nandscape::controller {

namespace {

FtlGeometry mapping_geometry(const Geometry& flash, std::uint32_t unit_bytes, std::uint32_t superblock_dies,
                             bool over_layers) {
  const std::uint32_t units_per_block = flash.pages_per_block * (flash.page_bytes / unit_bytes);
  if (over_layers) {
    return {flash.planes(), flash.blocks_per_plane / layer_quarters, units_per_block * layer_quarters, unit_bytes};
  }
  if (superblock_dies == 0) return {flash.planes(), flash.blocks_per_plane, units_per_block, unit_bytes};
  return {flash.planes() / superblock_dies, flash.blocks_per_plane, units_per_block * (superblock_dies - 1),
          unit_bytes};
}

}  // namespace

PlaceFinder::PlaceFinder(const Geometry& g)
    : pages_per_block_(g.pages_per_block), blocks_per_plane_(g.blocks_per_plane), planes_(g.planes()) {
  for (const FlashPlane plane : planes_.places()) {
    const DieId die = g.die_of(plane);
    planes_[plane] = {g.channel_of(die), g.die_in_channel(die), g.plane_in_die(plane)};
  }
}

FlashLayout::FlashLayout(const Geometry& flash, std::uint32_t unit_bytes, std::uint32_t superblock_dies,
                         bool over_layers)
    : flash_(flash),
      over_layers_(over_layers),
      members_(over_layers ? layer_quarters : std::max(superblock_dies, 1U)),
      units_(flash.page_bytes / unit_bytes),
      mapping_(mapping_geometry(flash, unit_bytes, superblock_dies, over_layers)),
      flash_places_(flash) {
  if (!has_parity()) return;
  flash_planes_.resize(flash.planes());
  positions_.resize(flash.planes());
  for (std::uint32_t die = 0; die < flash.dies(); ++die) {
    for (std::uint32_t plane = 0; plane < flash.planes_per_die; ++plane) {
      const std::uint32_t set = die / members_ * flash.planes_per_die + plane;
      const std::uint32_t position = set * members_ + die % members_;
      const FlashPlane id(die * flash.planes_per_die + plane);
      flash_planes_[position] = id;
      positions_[id] = position;
    }
  }
}

std::uint32_t FlashLayout::page_of_member(std::uint32_t row, std::uint32_t member) const {
  const std::uint32_t behind_parity = has_parity() && member > row % members_ ? 1 : 0;
  return row * pages_per_row() + member - behind_parity;
}

Place FlashLayout::find_member(Superblock block, std::uint32_t page) const {
  const std::uint32_t row = page / pages_per_row();
  const std::uint32_t position = page % pages_per_row();
  return find(block, row, position + (has_parity() && position >= row % members_ ? 1 : 0));
}

Place FlashLayout::find_row(Superblock block, std::uint32_t row, std::uint32_t member) const {
  if (over_layers_) return flash_places_.find(FlashBlock(block.value * members_ + member), row);
  const FtlPlane plane = mapping_.plane_of(block);
  const BlockInPlane index(block.value - mapping_.block(plane, 0).value);
  return flash_places_.find(flash_.block(flash_plane(plane, member), index), row);
}

Ppa FlashLayout::of_flash_page(FlashPage flash_page) const {
  const Place place = flash_places_.find(flash_page);
  return in_row(flash_page, over_layers_ ? place.block_of_plane.value % members_ : member_of(place.plane));
}

Ppa FlashLayout::in_row(FlashPage flash_page, std::uint32_t member) const {
  const Place place = flash_places_.find(flash_page);
  if (is_parity(place.page_of_block, member)) return Ppa();
  return first_unit(holding(place.plane, place.block_of_plane), place.page_of_block, member);
}

}  // namespace nandscape::controller

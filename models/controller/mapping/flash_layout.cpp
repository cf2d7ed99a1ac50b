// SPDX-License-Identifier: Apache-2.0
#include "controller/mapping/flash_layout.h"

#include <algorithm>

namespace nandscape::controller {

namespace {

Geometry mapping_geometry(const Geometry& flash, std::uint32_t unit_bytes, std::uint32_t superblock_dies,
                          bool over_layers) {
  Geometry g = flash;
  g.page_bytes = unit_bytes;
  g.spare_bytes = 0;
  g.pages_per_block *= flash.page_bytes / unit_bytes;
  if (over_layers) {
    g.blocks_per_plane /= layer_quarters;
    g.pages_per_block *= layer_quarters;
  }
  if (superblock_dies == 0) return g;
  g.channels = g.chips_per_channel = g.dies_per_chip = 1;
  g.planes_per_die = flash.planes() / superblock_dies;
  g.pages_per_block *= superblock_dies - 1;
  return g;
}

}  // namespace

FlashLayout::FlashLayout(const Geometry& flash, std::uint32_t unit_bytes, std::uint32_t superblock_dies,
                         bool over_layers)
    : flash_(flash),
      over_layers_(over_layers),
      members_(over_layers ? layer_quarters : std::max(superblock_dies, 1U)),
      units_(flash.page_bytes / unit_bytes),
      mapping_(mapping_geometry(flash, unit_bytes, superblock_dies, over_layers)),
      units_per_block_(mapping_.pages_per_block),
      blocks_per_plane_(mapping_.blocks_per_plane),
      flash_places_(flash) {
  if (!has_parity()) return;
  flash_planes_.resize(flash.planes());
  positions_.resize(flash.planes());
  for (std::uint32_t die = 0; die < flash.dies(); ++die) {
    for (std::uint32_t plane = 0; plane < flash.planes_per_die; ++plane) {
      const std::uint32_t set = die / members_ * flash.planes_per_die + plane;
      const std::uint32_t position = set * members_ + die % members_;
      const PlaneId id(die * flash.planes_per_die + plane);
      flash_planes_[position] = id;
      positions_[id.value] = position;
    }
  }
}

Ppn FlashLayout::first_unit(BlockId block, std::uint32_t row, std::uint32_t member) const {
  const std::uint32_t behind_parity = has_parity() && member > row % members_ ? 1 : 0;
  const std::uint32_t page = row * pages_per_row() + member - behind_parity;
  return Ppn(std::uint64_t{block.value} * units_per_block_.value() + std::uint64_t{page} * units_.value());
}

Place FlashLayout::find(Ppn ppn) const {
  const BlockId block = block_of(ppn);
  const auto page =
      static_cast<std::uint32_t>(units_.quotient(ppn.value - std::uint64_t{block.value} * units_per_block_.value()));
  if (members_ == 1) return flash_places_.find(flash_.page(block, page));
  const std::uint32_t row = page / pages_per_row();
  const std::uint32_t position = page % pages_per_row();
  return find(block, row, position + (has_parity() && position >= row % members_ ? 1 : 0));
}

Place FlashLayout::find(BlockId block, std::uint32_t row, std::uint32_t member) const {
  if (members_ == 1) return flash_places_.find(flash_.page(block, row));
  if (over_layers_) return flash_places_.find(flash_.page(BlockId(block.value * members_ + member), row));
  const auto plane = static_cast<std::uint32_t>(blocks_per_plane_.quotient(block.value));
  const std::uint32_t index = block.value - plane * flash_.blocks_per_plane;
  return flash_places_.find(flash_.page(flash_.block(flash_plane(PlaneId(plane), member), index), row));
}

Ppn FlashLayout::of_flash_page(Ppn flash_page) const {
  const Place place = flash_places_.find(flash_page);
  return in_row(flash_page, over_layers_ ? place.block_of_plane % members_ : member_of(place.plane));
}

Ppn FlashLayout::in_row(Ppn flash_page, std::uint32_t member) const {
  const Place place = flash_places_.find(flash_page);
  if (is_parity(place.page_of_block, member)) return Ppn();
  return first_unit(holding(place.plane, place.block_of_plane), place.page_of_block, member);
}

}  // namespace nandscape::controller

// SPDX-License-Identifier: Apache-2.0
#include "controller/addresses/flash_layout.h"

#include <algorithm>

namespace nandscape::controller {

namespace {

std::uint32_t members_on_die(const Geometry& flash, const SuperblockMembers& members) {
  return members.all_planes ? flash.planes_per_die : 1;
}

std::uint32_t members_of_block(const Geometry& flash, const SuperblockMembers& members) {
  return members.over_layers ? layer_quarters : members.dies * members_on_die(flash, members);
}

FtlGeometry mapping_geometry(const Geometry& flash, std::uint32_t unit_bytes, const SuperblockMembers& members) {
  const std::uint32_t units_of_member = flash.pages_per_block * (flash.page_bytes / unit_bytes);
  const std::uint32_t count = members_of_block(flash, members);
  if (members.over_layers) {
    return {flash.planes(), flash.blocks_per_plane / count, units_of_member * count, unit_bytes};
  }
  return {flash.planes() / count, flash.blocks_per_plane, units_of_member * (count - (members.parity ? 1 : 0)),
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

FlashLayout::FlashLayout(const Geometry& flash, std::uint32_t unit_bytes, const SuperblockMembers& members)
    : flash_(flash),
      over_layers_(members.over_layers),
      has_parity_(members.parity),
      members_(members_of_block(flash, members)),
      members_per_die_(members_on_die(flash, members)),
      divisor_of_members_(members_),
      pages_per_row_(members_ - (members.parity ? 1 : 0)),
      units_(flash.page_bytes / unit_bytes),
      mapping_(mapping_geometry(flash, unit_bytes, members)),
      flash_places_(flash) {
  if (!spans_planes()) return;
  flash_planes_.resize(flash.planes());
  positions_.resize(flash.planes());
  const std::uint32_t planes_of_die = flash.planes_per_die / members_per_die_;  // planes of the mapping
  for (std::uint32_t k = 0; k < flash.dies(); ++k) {
    const std::uint32_t channel = k % flash.channels;
    const std::uint32_t die = channel * flash.dies_per_channel() + k / flash.channels;
    for (std::uint32_t plane = 0; plane < flash.planes_per_die; ++plane) {
      const FtlPlane of_mapping(k / members.dies * planes_of_die + plane / members_per_die_);
      const std::uint32_t member = k % members.dies * members_per_die_ + plane % members_per_die_;
      const FlashPlane id(die * flash.planes_per_die + plane);
      flash_planes_[of_mapping.value * members_ + member] = id;
      positions_[id] = {of_mapping, member};
    }
  }
}

DieId FlashLayout::die_of(FtlPlane plane) const {
  const DieId first = flash_.die_of(flash_plane(plane, 0));
  for (std::uint32_t member = 1; member < member_planes(); ++member) {
    if (flash_.die_of(flash_plane(plane, member)) != first) return DieId();
  }
  return first;
}

ChannelId FlashLayout::channel_of(FtlPlane plane) const {
  const auto of_member = [&](std::uint32_t member) {
    return flash_.channel_of(flash_.die_of(flash_plane(plane, member)));
  };
  for (std::uint32_t member = 1; member < member_planes(); ++member) {
    if (of_member(member) != of_member(0)) return ChannelId();
  }
  return of_member(0);
}

std::uint32_t FlashLayout::page_of_member(std::uint32_t row, std::uint32_t member) const {
  const std::uint32_t behind_parity = has_parity_ && member > divisor_of_members_.remainder(row) ? 1 : 0;
  return row * pages_per_row() + member - behind_parity;
}

Place FlashLayout::find_member(Superblock block, std::uint32_t page) const {
  const auto row = static_cast<std::uint32_t>(pages_per_row_.quotient(page));
  const std::uint32_t position = page - row * pages_per_row();
  const bool behind_parity = has_parity_ && position >= divisor_of_members_.remainder(row);
  return find(block, row, position + (behind_parity ? 1 : 0));
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

// SPDX-License-Identifier: Apache-2.0
// The numbers of channels, chips, dies, planes, blocks and pages of the device, what its planes can do on their own,
// and conversions between the numbers of these units. A channel contains chips, a chip contains dies, and so on in this
// order. Each kind of unit is numbered over the whole device in the same order.
#pragma once

#include <cstdint>

#include "core/ids.h"

namespace nandscape {

struct Geometry {
  std::uint32_t channels = 1;
  std::uint32_t chips_per_channel = 1;
  std::uint32_t dies_per_chip = 1;
  std::uint32_t planes_per_die = 1;
  std::uint32_t blocks_per_plane = 1;
  std::uint32_t pages_per_block = 1;
  std::uint32_t page_bytes = 4096;
  std::uint32_t spare_bytes = 0;
  bool independent_plane_reads = false;  // dies accept reads with NandCommand::independent

  std::uint32_t dies_per_channel() const { return chips_per_channel * dies_per_chip; }
  std::uint32_t dies() const { return channels * dies_per_channel(); }
  std::uint32_t planes() const { return dies() * planes_per_die; }
  std::uint32_t blocks() const { return planes() * blocks_per_plane; }
  std::uint32_t blocks_per_die() const { return planes_per_die * blocks_per_plane; }
  std::uint64_t pages_per_plane() const { return std::uint64_t{blocks_per_plane} * pages_per_block; }
  std::uint64_t pages() const { return std::uint64_t{blocks()} * pages_per_block; }
  std::uint64_t bytes() const { return pages() * page_bytes; }

  ChannelId channel_of(DieId die) const { return ChannelId(die.value / dies_per_channel()); }
  DieId die_of(PlaneId plane) const { return DieId(plane.value / planes_per_die); }
  PlaneId plane_of(BlockId block) const { return PlaneId(block.value / blocks_per_plane); }
  BlockId block_of(Ppn page) const { return BlockId(static_cast<std::uint32_t>(page.value / pages_per_block)); }
  std::uint32_t page_in_block(Ppn page) const { return static_cast<std::uint32_t>(page.value % pages_per_block); }
  BlockId block(PlaneId plane, BlockInPlane block) const {
    return BlockId(plane.value * blocks_per_plane + block.value);
  }
  Ppn page(BlockId block, std::uint32_t page_in_block) const {
    return Ppn(std::uint64_t{block.value} * pages_per_block + page_in_block);
  }

  DieId die(ChannelId channel, DieInChannel die) const { return DieId(channel.value * dies_per_channel() + die.value); }
  DieInChannel die_in_channel(DieId die) const { return DieInChannel(die.value % dies_per_channel()); }
  PlaneId plane(DieId die, PlaneInDie plane) const { return PlaneId(die.value * planes_per_die + plane.value); }
  PlaneInDie plane_in_die(PlaneId plane) const { return PlaneInDie(plane.value % planes_per_die); }
  BlockInPlane block_in_plane(BlockId block) const { return BlockInPlane(block.value % blocks_per_plane); }
  BlockInDie block_in_die(PlaneInDie plane, BlockInPlane block) const {
    return BlockInDie(plane.value * blocks_per_plane + block.value);
  }
  BlockInDie block_in_die(BlockId block) const { return BlockInDie(block.value % blocks_per_die()); }
  PlaneInDie plane_of(BlockInDie block) const { return PlaneInDie(block.value / blocks_per_plane); }
  BlockInPlane block_in_plane(BlockInDie block) const { return BlockInPlane(block.value % blocks_per_plane); }
};

}  // namespace nandscape

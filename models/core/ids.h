// SPDX-License-Identifier: Apache-2.0
// Strong identifiers: a page number cannot be passed where a block number is meant.
#pragma once

#include <compare>
#include <cstdint>
#include <functional>
#include <limits>

namespace nandscape {

template <class Tag, class Representation>
struct Id {
  using Value = Representation;

  Value value = std::numeric_limits<Value>::max();

  constexpr Id() = default;
  constexpr explicit Id(Value v) : value(v) {}

  constexpr bool valid() const { return value != std::numeric_limits<Value>::max(); }
  friend constexpr auto operator<=>(Id, Id) = default;  // NOLINT(modernize-use-nullptr): a false positive
};

// Logical block address, counted in the sectors of the namespace (512 bytes unless formatted otherwise).
using Lba = Id<struct LbaTag, std::uint64_t>;
// Logical page number: the host's address space in mapping units, which are flash pages or parts of them.
using Lpn = Id<struct LpnTag, std::uint64_t>;
// Physical page number: all pages of the device, numbered channel by channel, chip, die, plane, block, page.
using Ppn = Id<struct PpnTag, std::uint64_t>;

// Places in the device, each kind numbered over the whole device in the order of Ppn.
using ChannelId = Id<struct ChannelTag, std::uint32_t>;
using DieId = Id<struct DieTag, std::uint32_t>;
using PlaneId = Id<struct PlaneTag, std::uint32_t>;
using BlockId = Id<struct BlockTag, std::uint32_t>;

// Places numbered within a larger place, as in commands. Geometry converts them (protocol/geometry.h).
using DieInChannel = Id<struct DieInChannelTag, std::uint32_t>;  // chip * dies_per_chip + die
using PlaneInDie = Id<struct PlaneInDieTag, std::uint32_t>;
using BlockInPlane = Id<struct BlockInPlaneTag, std::uint32_t>;
using BlockInDie = Id<struct BlockInDieTag, std::uint32_t>;  // numbered over the planes of the die

}  // namespace nandscape

template <class Tag, class Representation>
struct std::hash<nandscape::Id<Tag, Representation>> {
  std::size_t operator()(nandscape::Id<Tag, Representation> id) const noexcept {
    return std::hash<Representation>{}(id.value);
  }
};

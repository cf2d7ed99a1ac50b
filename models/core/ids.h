// SPDX-License-Identifier: Apache-2.0
// Strong types for identifiers, so that a page number cannot be passed where a block number is expected.
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

// Logical block address. It counts sectors of the namespace, whose size is 512 bytes unless the namespace is formatted
// otherwise.
using Lba = Id<struct LbaTag, std::uint64_t>;
// Logical page number. It counts mapping units in the host's address space. A mapping unit is a flash page or a part of
// one.
using Lpn = Id<struct LpnTag, std::uint64_t>;
// Physical page number. It numbers all pages of the device by channel, chip, die, plane, block and page, with the page
// number varying fastest.
using Ppn = Id<struct PpnTag, std::uint64_t>;

// Channels, dies, planes and blocks of the device. Each kind is numbered over the whole device, in the same order as
// Ppn.
using ChannelId = Id<struct ChannelTag, std::uint32_t>;
using DieId = Id<struct DieTag, std::uint32_t>;
using PlaneId = Id<struct PlaneTag, std::uint32_t>;
using BlockId = Id<struct BlockTag, std::uint32_t>;

// Numbers within a larger unit, as flash commands use them. Geometry converts between these and device-wide numbers
// (protocol/geometry.h).
using DieInChannel = Id<struct DieInChannelTag, std::uint32_t>;  // chip * dies_per_chip + die
using PlaneInDie = Id<struct PlaneInDieTag, std::uint32_t>;
using BlockInPlane = Id<struct BlockInPlaneTag, std::uint32_t>;
using BlockInDie = Id<struct BlockInDieTag, std::uint32_t>;  // numbered over all planes of the die

}  // namespace nandscape

template <class Tag, class Representation>
struct std::hash<nandscape::Id<Tag, Representation>> {
  std::size_t operator()(nandscape::Id<Tag, Representation> id) const noexcept {
    return std::hash<Representation>{}(id.value);
  }
};

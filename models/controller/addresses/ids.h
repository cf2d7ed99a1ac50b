// SPDX-License-Identifier: Apache-2.0
// Types of places, in two families that cannot be mistaken for each other. Places in the mapping are planes,
// superblocks and units, as FlashLayout arranges them. Places on flash are planes, blocks and pages of the dies.
#pragma once

#include <cstdint>

#include "core/id_vector.h"
#include "core/ids.h"

namespace nandscape::controller {

// Places in the mapping; each kind is numbered across the whole drive. Blocks are allocated and collected within a
// plane. A superblock is one flash block, or several that are erased and filled as one. A physical page address (Ppa)
// is the place of a mapping unit.
using FtlPlane = Id<struct FtlPlaneTag, std::uint32_t>;
using Superblock = Id<struct SuperblockTag, std::uint32_t>;
using Ppa = Id<struct PpaTag, std::uint64_t>;

// Places on flash, as the protocol numbers them.
using FlashPlane = PlaneId;
using FlashBlock = BlockId;
using FlashPage = Ppn;

}  // namespace nandscape::controller

// SPDX-License-Identifier: Apache-2.0
// Types for addresses, in two families so that the compiler rejects an address of the wrong kind. Addresses in the
// mapping are the planes, superblocks and mapping units that FlashLayout lays out over the flash. Addresses on the
// flash are the physical planes, blocks and pages of the dies.
#pragma once

#include <cstdint>

#include "core/id_vector.h"
#include "core/ids.h"

namespace nandscape::controller {

// Addresses in the mapping. Each kind is numbered across the whole drive. The controller allocates and collects blocks
// within an FtlPlane. A superblock is one flash block, or several flash blocks that are erased and filled together. A
// physical page address (Ppa) is the location of one mapping unit.
using FtlPlane = Id<struct FtlPlaneTag, std::uint32_t>;
using Superblock = Id<struct SuperblockTag, std::uint32_t>;
using Ppa = Id<struct PpaTag, std::uint64_t>;

// Addresses on the flash, with the numbering of the protocol (core/ids.h).
using FlashPlane = PlaneId;
using FlashBlock = BlockId;
using FlashPage = Ppn;

}  // namespace nandscape::controller

// SPDX-License-Identifier: Apache-2.0
// The interface for a stream of writes whose blocks are not programmed in the native mode of the cells. It decides
// which blocks the stream may take.
#pragma once

#include <cstdint>

#include "controller/addresses/ids.h"
#include "core/ticks.h"

namespace nandscape::controller {

// The write mode of blocks that belong to the SLC cache (see BlockTable::write_mode()).
inline constexpr std::uint8_t slc_cache_mode = 255;

class CellModeSupply {
 public:
  // Returns whether the stream may open a free block of the plane.
  virtual bool may_open(FtlPlane plane) const = 0;
  // Returns the write mode of the stream's blocks.
  virtual std::uint8_t mode() const = 0;
  virtual void opened(Superblock block) = 0;
  // Called when a page of the stream finds no block on the plane. Returns whether the page waits for a block. Otherwise
  // it is written to an ordinary block.
  virtual bool waits_for_room(FtlPlane plane, Tick now) = 0;
  // Called when a page with this number of mapping units leaves the stream, because it is written to an ordinary block.
  virtual void left(std::uint32_t units) = 0;

 protected:
  ~CellModeSupply() = default;
};

}  // namespace nandscape::controller

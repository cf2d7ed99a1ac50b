// SPDX-License-Identifier: Apache-2.0
// What collection says of the free blocks of a plane of the mapping, and what it is told of those who write there.
#pragma once

#include "controller/addresses/ids.h"
#include "core/ticks.h"

namespace nandscape::controller {

class BlockSupply {
 public:
  // Whether the host may take a free block of the plane; the reserve is for collection.
  virtual bool host_may_take_block(FtlPlane plane) const = 0;
  // Whether the host may write on in a block that collection writes to, too.
  virtual bool host_may_share_block(FtlPlane plane) const = 0;
  // Whether the host may write a page to the plane now, and that it does.
  virtual bool host_may_write(FtlPlane plane) const = 0;
  virtual void host_writes(FtlPlane plane) = 0;
  // Whether the plane will soon have one more free block.
  virtual bool frees_block(FtlPlane plane) const = 0;
  // Nothing is collected any more.
  virtual bool stopped() const = 0;
  // Whether collection has asked for what keeps blocks of the plane, or of any, to become durable.
  virtual bool waits_for_durable_moves(FtlPlane plane) const = 0;
  virtual bool waits_for_durable_moves() const = 0;

  // Blocks of the plane were taken, or are needed.
  virtual void check(FtlPlane plane, Tick now) = 0;
  // Though collection is halted: what has to be written waits for a block.
  virtual void go_on_for_a_block(FtlPlane plane, Tick now) = 0;
  // A program in the block has failed: it must be emptied and given up.
  virtual void block_failed(Superblock block, Tick now) = 0;

 protected:
  ~BlockSupply() = default;
};

}  // namespace nandscape::controller

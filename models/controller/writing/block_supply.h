// SPDX-License-Identifier: Apache-2.0
// The garbage collector as the page writer sees it: which free blocks of a plane of the mapping the host may use, and
// the events that it reports to collection.
#pragma once

#include "controller/addresses/ids.h"
#include "core/ticks.h"

namespace nandscape::controller {

class BlockSupply {
 public:
  // The writer, which collection notifies.
  class Client {
   public:
    // `urgent`: collection of the plane has priority over the host, either because the host cannot write without it or
    // by configuration.
    virtual void set_urgent(FtlPlane plane, bool urgent) = 0;
    // The result of host_may_write() may have changed.
    virtual void host_may_go_on(FtlPlane plane, Tick now) = 0;
    // Blocks of the plane wait for moved or overwritten data to become durable.
    virtual void make_moves_durable(FtlPlane plane) = 0;
    // `awaits`: the plane has nothing else to empty, so data programmed from now on must become durable, too.
    // Otherwise, this is no longer needed.
    virtual void await_durable_moves(FtlPlane plane, bool awaits) = 0;

   protected:
    ~Client() = default;
  };

  // Whether the host may take a free block of the plane. The reserved blocks are for collection only.
  virtual bool host_may_take_block(FtlPlane plane) const = 0;
  // Whether the host may continue writing to a block that collection writes to as well.
  virtual bool host_may_share_block(FtlPlane plane) const = 0;
  // Whether the host may write a page to the plane now.
  virtual bool host_may_write(FtlPlane plane) const = 0;
  // Whether the plane will soon have one more free block.
  virtual bool frees_block(FtlPlane plane) const = 0;
  // Whether collection has ended for good.
  virtual bool stopped() const = 0;

  // Starts collection of the plane if necessary. Call this after a block was taken, and when one is needed.
  virtual void check(FtlPlane plane, Tick now) = 0;
  // Resumes halted collection on the plane: a page that must be written waits for a block.
  virtual void go_on_for_a_block(FtlPlane plane, Tick now) = 0;
  // A program in the block has failed: the block must be emptied and retired.
  virtual void block_failed(Superblock block, Tick now) = 0;

 protected:
  ~BlockSupply() = default;
};

}  // namespace nandscape::controller

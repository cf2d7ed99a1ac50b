// SPDX-License-Identifier: Apache-2.0
// The interface of the garbage collector for the page writer. It answers which free blocks of a plane the host may use,
// and passes events of the page writer to garbage collection. Planes are those of the mapping.
#pragma once

#include "controller/addresses/ids.h"
#include "core/ticks.h"

namespace nandscape::controller {

class BlockSupply {
 public:
  // The page writer, which garbage collection notifies.
  class Client {
   public:
    // Called when the priority of collection on the plane changes. `urgent`: collection has priority over the host,
    // because the host cannot write without it or because it is configured so.
    virtual void set_urgent(FtlPlane plane, bool urgent) = 0;
    // Called when the result of host_may_write() may have changed.
    virtual void host_may_go_on(FtlPlane plane, Tick now) = 0;
    // Called when blocks of the plane cannot be erased before moved or overwritten data are durable elsewhere. The
    // writer must make these data durable.
    virtual void make_moves_durable(FtlPlane plane) = 0;
    // `awaits` is true if the plane has no other block to empty. Pages that are programmed from now on must then be
    // made durable as well, until this function is called with false.
    virtual void await_durable_moves(FtlPlane plane, bool awaits) = 0;

   protected:
    ~Client() = default;
  };

  // Returns whether the host may take a free block of the plane. It must not take the blocks reserved for garbage
  // collection.
  virtual bool host_may_take_block(FtlPlane plane) const = 0;
  // Returns whether the host may continue writing to a block to which garbage collection writes as well.
  virtual bool host_may_share_block(FtlPlane plane) const = 0;
  // Returns whether the host may write a page to the plane now.
  virtual bool host_may_write(FtlPlane plane) const = 0;
  // Returns whether garbage collection will soon free another block of the plane.
  virtual bool frees_block(FtlPlane plane) const = 0;
  // Returns whether garbage collection has ended for the rest of the drive's life.
  virtual bool stopped() const = 0;

  // Starts garbage collection on the plane if it is necessary. Must be called when a block has been taken and when a
  // block is needed.
  virtual void check(FtlPlane plane, Tick now) = 0;
  // Resumes collection on the plane although it has been halted, because a page that must be written is waiting for a
  // block.
  virtual void go_on_for_a_block(FtlPlane plane, Tick now) = 0;
  // Called when a program in the block has failed. The block will be emptied and retired.
  virtual void block_failed(Superblock block, Tick now) = 0;

 protected:
  ~BlockSupply() = default;
};

}  // namespace nandscape::controller

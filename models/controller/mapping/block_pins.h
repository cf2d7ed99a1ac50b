// SPDX-License-Identifier: Apache-2.0
// Keeps blocks with pending commands from being erased, and notifies collection when the last command has ended.
#pragma once

#include "controller/addresses/ids.h"
#include "controller/mapping/block_table.h"
#include "core/ticks.h"

namespace nandscape::controller {

class BlockPins {
 public:
  class Listener {
   public:
    // The last pending command to the block has ended.
    virtual void unpinned(Superblock block, Tick now) = 0;

   protected:
    ~Listener() = default;
  };

  explicit BlockPins(BlockTable& blocks) : blocks_(blocks) {}

  void set_listener(Listener& listener) { listener_ = &listener; }
  void pin(Superblock block) { blocks_.pin(block); }
  void unpin(Superblock block, Tick now) {
    blocks_.unpin(block);
    if (listener_ != nullptr && !blocks_.pinned(block)) listener_->unpinned(block, now);
  }

 private:
  BlockTable& blocks_;
  Listener* listener_ = nullptr;
};

}  // namespace nandscape::controller

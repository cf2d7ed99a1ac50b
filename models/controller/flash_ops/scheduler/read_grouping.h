// SPDX-License-Identifier: Apache-2.0
// Which reads go to their die together, as one operation.
#pragma once

#include <vector>

#include "controller/flash_ops/flash_op.h"

namespace nandscape::controller {

class ReadGrouping {
 public:
  virtual ~ReadGrouping() = default;

  // Whether the read goes so: with others, or alone if none fits.
  virtual bool takes(const FlashOp& read) const = 0;
  // Whether both of these may be of one operation.
  virtual bool fit(const FlashOp& one, const FlashOp& other) const = 0;
  // Whether an operation has its die to itself until all of its reads are decoded.
  virtual bool locks_die() const = 0;
  // Puts into `group` the read, which has left the queue, and takes out of the queue those that go with it.
  virtual void gather(FlashOp& first, OpQueue& queue, std::vector<FlashOp*>& group, Tick now) const = 0;
};

}  // namespace nandscape::controller

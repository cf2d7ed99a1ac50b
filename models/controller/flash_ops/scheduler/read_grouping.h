// SPDX-License-Identifier: Apache-2.0
// Decides which reads are sent to their die as one operation.
#pragma once

#include <vector>

#include "controller/flash_ops/flash_op.h"

namespace nandscape::controller {

class ReadGrouping {
 public:
  virtual ~ReadGrouping() = default;

  // Whether the read is grouped. Such a read is sent alone if no other fits.
  virtual bool takes(const FlashOp& read) const = 0;
  // Whether both reads may be part of one operation.
  virtual bool fit(const FlashOp& one, const FlashOp& other) const = 0;
  // Whether an operation locks its die until all of its reads are decoded.
  virtual bool locks_die() const = 0;
  // Puts `first`, which has left the queue, into `group`, and moves the reads that join it from the queue into `group`.
  virtual void gather(FlashOp& first, OpQueue& queue, std::vector<FlashOp*>& group, Tick now) const = 0;
};

}  // namespace nandscape::controller

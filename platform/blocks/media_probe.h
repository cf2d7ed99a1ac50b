// SPDX-License-Identifier: Apache-2.0
// Injects failures into the flash of a drive, and inspects its cells. Dies and blocks are numbered over the whole
// device. Each function throws RequestError if there is no such die or block.
#pragma once

#include <cstdint>
#include <vector>

#include "core/ids.h"
#include "protocol/nand_command.h"

namespace nandscape {

class MediaProbe {
 public:
  // Fail the next `count` operations of a die, all programs and erases of a block, or everything that a die does
  // (nand/die_faults.h).
  virtual void fail_next(DieId die, NandOperation operation, std::uint32_t count) = 0;
  virtual void fail_block(BlockId block) = 0;
  virtual void kill_die(DieId die) = 0;

  // The functions below do not change the drive.

  // The number of programmed wordlines of a block, which are programmed in order from wordline 0.
  virtual std::uint32_t programmed_wordlines(BlockId block) const = 0;
  // The threshold voltages of the cells of a programmed wordline, in mV, as a read would find them now; empty if the
  // wordline's program was interrupted. Throws RequestError if the wordline is not programmed, while its die is busy,
  // and unless cells are modelled individually (simulation.cells: per_cell).
  virtual std::vector<float> threshold_voltages(BlockId block, std::uint32_t wordline) const = 0;

 protected:
  ~MediaProbe() = default;
};

}  // namespace nandscape

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
  // These functions make the next `count` operations of a die fail, all programs and erases of a block, or all
  // operations of a die (nand/die_faults.h).
  virtual void fail_next(DieId die, NandOperation operation, std::uint32_t count) = 0;
  virtual void fail_block(BlockId block) = 0;
  virtual void kill_die(DieId die) = 0;

  // The functions below do not change the drive.

  // Returns the number of programmed wordlines of a block. Wordlines are programmed in order from wordline 0.
  virtual std::uint32_t programmed_wordlines(BlockId block) const = 0;
  // Returns the threshold voltages, in mV, that a read would find at the present time in the cells of a programmed
  // wordline. The vector is empty if the program of the wordline was interrupted. Throws RequestError if the wordline
  // is not programmed, if its die is busy, and if cells are not modelled individually (simulation.cells: per_cell).
  virtual std::vector<float> threshold_voltages(BlockId block, std::uint32_t wordline) const = 0;

 protected:
  ~MediaProbe() = default;
};

}  // namespace nandscape

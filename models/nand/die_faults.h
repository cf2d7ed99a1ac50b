// SPDX-License-Identifier: Apache-2.0
// Failures injected into a die, independent of the cell model. They strike the next programs, erases or voltage
// adjustments, all operations of a block, or the whole die. Timing does not change: a failing operation takes as long
// as one that succeeds.
#pragma once

#include <cstdint>
#include <vector>

#include "core/archive.h"
#include "core/id_vector.h"
#include "core/ids.h"
#include "protocol/nand_command.h"

namespace nandscape::nand {

class DieFaults {
 public:
  explicit DieFaults(std::uint32_t blocks) : blocks_(blocks) {}

  // Fails the next `count` programs (copyback programs included), erases or voltage adjustments. Throws
  // std::invalid_argument for any other operation.
  void fail_next(NandOperation operation, std::uint32_t count);
  // Fails every later program, erase and voltage adjustment of the block.
  void fail_block(BlockInDie block);
  // Fails every later program, erase and adjustment; all reads find torn pages.
  void kill();

  bool dead() const { return dead_; }
  // Whether that operation, which ends now, fails. Uses up one of the failures that fail_next() has ordered.
  [[nodiscard]] bool strikes(NandOperation operation, BlockInDie block) { return any_ && find(operation, block); }

  void persist(Archive& archive);

 private:
  bool find(NandOperation operation, BlockInDie block);
  // Counter of the next failures of that operation; null if they cannot be injected.
  std::uint32_t* next(NandOperation operation);

  bool any_ = false;
  bool dead_ = false;
  std::uint32_t next_programs_ = 0;
  std::uint32_t next_erases_ = 0;
  std::uint32_t next_adjustments_ = 0;
  std::uint32_t blocks_;
  IdVector<BlockInDie, bool> failing_;  // empty if no block fails
};

}  // namespace nandscape::nand

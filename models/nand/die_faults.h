// SPDX-License-Identifier: Apache-2.0
// Failures that a test or a user injects into a die, independent of the cell model. They affect the next programs,
// erases or voltage adjustments, all operations on a block, or the whole die. They do not change the timing: a failing
// operation takes as long as a successful one.
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

  // Makes the next `count` programs (including copyback programs), erases or voltage adjustments fail. Throws
  // std::invalid_argument for any other operation.
  void fail_next(NandOperation operation, std::uint32_t count);
  // Makes every later program, erase and voltage adjustment of the block fail.
  void fail_block(BlockInDie block);
  // Makes every later program, erase and voltage adjustment of the die fail. All reads then return torn pages.
  void kill();

  bool dead() const { return dead_; }
  // Returns true if the operation, which ends now, must fail. Uses up one of the failures that fail_next() has
  // requested.
  [[nodiscard]] bool strikes(NandOperation operation, BlockInDie block) { return any_ && find(operation, block); }

  void persist(Archive& archive);

 private:
  bool find(NandOperation operation, BlockInDie block);
  // Returns the counter of failures that fail_next() has requested for this operation. Returns null if failures of this
  // operation cannot be injected.
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

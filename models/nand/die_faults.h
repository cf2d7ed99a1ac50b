// SPDX-License-Identifier: Apache-2.0
// Failures that a test or a user injects into a die, independent of the cell model. They affect the next programs,
// erases or voltage adjustments, all operations on a block, or the whole die. They do not change the timing: a failing
// operation takes as long as a successful one.
#pragma once

#include <cstdint>
#include <memory>
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

  bool dead() const { return injected_ != nullptr && injected_->dead; }
  // Returns true if the operation, which ends now, must fail. Uses up one of the failures that fail_next() has
  // requested.
  [[nodiscard]] bool strikes(NandOperation operation, BlockInDie block) {
    return injected_ != nullptr && find(operation, block);
  }

  void persist(Archive& archive);

 private:
  struct Injected {
    // Returns the counter of failures that fail_next() has requested for this operation. Returns null if failures of
    // this operation cannot be injected.
    std::uint32_t* next(NandOperation operation);

    bool dead = false;
    std::uint32_t next_programs = 0;
    std::uint32_t next_erases = 0;
    std::uint32_t next_adjustments = 0;
    IdVector<BlockInDie, bool> failing;  // empty if no block fails
  };

  Injected& injected();
  bool find(NandOperation operation, BlockInDie block);

  std::unique_ptr<Injected> injected_;  // null if no failure has been injected
  std::uint32_t blocks_;
};

}  // namespace nandscape::nand

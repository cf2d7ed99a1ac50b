// SPDX-License-Identifier: Apache-2.0
// Failures that somebody asks for, whatever the cells are: the next programs, erases or voltage adjustments, all
// operations of a block, the whole die. They change no times: a failing operation takes as long as one that succeeds.
#pragma once

#include <cstdint>
#include <vector>

#include "core/archive.h"
#include "protocol/nand_command.h"

namespace nandscape::nand {

class DieFaults {
 public:
  explicit DieFaults(std::uint32_t blocks) : blocks_(blocks) {}

  // The next programs, copyback programs among them, erases or voltage adjustments; throws std::invalid_argument on
  // others.
  void fail_next(NandOperation operation, std::uint32_t count);
  // From now on all programs and erases of the block of the die fail.
  void fail_block(std::uint32_t block);
  // From now on everything fails, and reads find torn pages only.
  void kill();

  bool dead() const { return dead_; }
  // Whether that operation, which ends now, is to fail. It is one of those that fail_next() has counted.
  bool strikes(NandOperation operation, std::uint32_t block) { return any_ && find(operation, block); }

  void persist(Archive& archive);

 private:
  bool find(NandOperation operation, std::uint32_t block);
  // How many operations of that kind are to fail next; null where none can be.
  std::uint32_t* next(NandOperation operation);

  bool any_ = false;
  bool dead_ = false;
  std::uint32_t next_programs_ = 0;
  std::uint32_t next_erases_ = 0;
  std::uint32_t next_adjustments_ = 0;
  std::uint32_t blocks_;
  std::vector<bool> failing_;  // by block; empty when there is none
};

}  // namespace nandscape::nand

// SPDX-License-Identifier: Apache-2.0
#include "nand/die_faults.h"

#include <stdexcept>
#include <utility>

namespace nandscape::nand {

void DieFaults::fail_next(NandOperation operation, std::uint32_t count) {
  if (operation == NandOperation::program) {
    next_programs_ += count;
  } else if (operation == NandOperation::erase) {
    next_erases_ += count;
  } else {
    throw std::invalid_argument(to_string(operation) + " cannot be made to fail; program and erase can");
  }
  any_ = true;
}

void DieFaults::fail_block(std::uint32_t block) {
  failing_.resize(blocks_);
  failing_.at(block) = true;
  any_ = true;
}

void DieFaults::kill() { any_ = dead_ = true; }

bool DieFaults::find(NandOperation operation, std::uint32_t block) {
  std::uint32_t& next = operation == NandOperation::erase ? next_erases_ : next_programs_;
  if (operation != NandOperation::adjust_voltage && next > 0) {
    --next;
    return true;
  }
  return dead_ || (!failing_.empty() && failing_[block]);
}

void DieFaults::persist(Archive& archive) {
  archive.section("die faults");
  archive(dead_, next_programs_, next_erases_, failing_);
  archive.require(failing_.empty() || failing_.size() == blocks_, "the failing blocks are those of another die");
  any_ = dead_ || next_programs_ != 0 || next_erases_ != 0 || !failing_.empty();
}

}  // namespace nandscape::nand

// SPDX-License-Identifier: Apache-2.0
#include "nand/die_faults.h"

#include <stdexcept>
#include <utility>

namespace nandscape::nand {

std::uint32_t* DieFaults::next(NandOperation operation) {
  switch (operation) {
    case NandOperation::program: return &next_programs_;
    case NandOperation::erase: return &next_erases_;
    case NandOperation::adjust_voltage: return &next_adjustments_;
    default: return nullptr;
  }
}

void DieFaults::fail_next(NandOperation operation, std::uint32_t count) {
  std::uint32_t* const next = this->next(operation);
  if (next == nullptr) {
    throw std::invalid_argument(to_string(operation) +
                                " cannot be made to fail; programs, erases and voltage adjustments can");
  }
  *next += count;
  any_ = true;
}

void DieFaults::fail_block(BlockInDie block) {
  failing_.resize(blocks_);
  failing_.values().at(block.value) = true;
  any_ = true;
}

void DieFaults::kill() { any_ = dead_ = true; }

bool DieFaults::find(NandOperation operation, BlockInDie block) {
  if (std::uint32_t* const next = this->next(operation); next != nullptr && *next > 0) {
    --*next;
    return true;
  }
  return dead_ || (!failing_.empty() && failing_[block]);
}

void DieFaults::persist(Archive& archive) {
  archive.section("die faults");
  archive(dead_, next_programs_, next_erases_, next_adjustments_, failing_.values());
  archive.require(failing_.empty() || failing_.size() == blocks_, "the failing blocks are those of another die");
  any_ = dead_ || next_programs_ != 0 || next_erases_ != 0 || next_adjustments_ != 0 || !failing_.empty();
}

}  // namespace nandscape::nand

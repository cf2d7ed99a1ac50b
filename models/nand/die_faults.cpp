// SPDX-License-Identifier: Apache-2.0
#include "nand/die_faults.h"

#include <stdexcept>
#include <utility>

namespace nandscape::nand {

std::uint32_t* DieFaults::Injected::next(NandOperation operation) {
  switch (operation) {
    case NandOperation::program: return &next_programs;
    case NandOperation::erase: return &next_erases;
    case NandOperation::adjust_voltage: return &next_adjustments;
    default: return nullptr;
  }
}

DieFaults::Injected& DieFaults::injected() {
  if (injected_ == nullptr) injected_ = std::make_unique<Injected>();
  return *injected_;
}

void DieFaults::fail_next(NandOperation operation, std::uint32_t count) {
  std::uint32_t* const next = injected().next(operation);
  if (next == nullptr) {
    throw std::invalid_argument(to_string(operation) +
                                " cannot be made to fail; programs, erases and voltage adjustments can");
  }
  *next += count;
}

void DieFaults::fail_block(BlockInDie block) {
  IdVector<BlockInDie, bool>& failing = injected().failing;
  failing.resize(blocks_);
  failing.values().at(block.value) = true;
}

void DieFaults::kill() { injected().dead = true; }

bool DieFaults::find(NandOperation operation, BlockInDie block) {
  if (std::uint32_t* const next = injected_->next(operation); next != nullptr && *next > 0) {
    --*next;
    return true;
  }
  return injected_->dead || (!injected_->failing.empty() && injected_->failing[block]);
}

void DieFaults::persist(Archive& archive) {
  archive.section("die faults");
  Injected& f = injected();
  archive(f.dead, f.next_programs, f.next_erases, f.next_adjustments, f.failing.values());
  archive.require(f.failing.empty() || f.failing.size() == blocks_, "the failing blocks are those of another die");
  const bool none = !f.dead && f.next_programs == 0 && f.next_erases == 0 && f.next_adjustments == 0;
  if (none && f.failing.empty()) injected_.reset();
}

}  // namespace nandscape::nand

// SPDX-License-Identifier: Apache-2.0
#include "controller/reading/subpage_operations.h"

#include <utility>

namespace nandscape {

void SubpageOperations::start(std::span<FlashOp* const> group) {
  SubpageOperation& operation = operations_.acquire();
  operation.undecided_ = static_cast<std::uint32_t>(group.size());
  for (FlashOp* read : group) static_cast<SubpageRead*>(read)->operation = &operation;
}

void SubpageOperations::again(SubpageRead& read, Tick now) {
  SubpageOperation& operation = *read.operation;
  operation.unfinished_[operation.unfinished_count_++] = &read;
  decided(operation, read, now);
}

void SubpageOperations::leave(SubpageRead& read, Tick now) {
  decided(*std::exchange(read.operation, nullptr), read, now);
}

void SubpageOperations::decided(SubpageOperation& operation, const SubpageRead& last, Tick now) {
  if (--operation.undecided_ != 0) return;
  if (operation.unfinished_count_ == 0) {
    operations_.release(operation);
    scheduler_.unlock_die(last.channel, last.command.die, now);
    return;
  }
  const std::span<FlashOp* const> round(operation.unfinished_.data(), operation.unfinished_count_);
  operation.undecided_ = std::exchange(operation.unfinished_count_, 0);
  scheduler_.enqueue_operation(round, now);
}

}  // namespace nandscape

// SPDX-License-Identifier: Apache-2.0
#include "controller/subpages/locked_subpages.h"

#include <utility>

namespace nandscape::controller {

void LockedSubpages::gathered(std::span<FlashOp* const> group) {
  LockedOperation& operation = operations_.acquire();
  operation.undecided_ = static_cast<std::uint32_t>(group.size());
  for (FlashOp* read : group) static_cast<GroupedRead*>(read)->group = &operation;
}

void LockedSubpages::again(GroupedRead& read, Tick now) {
  auto& operation = static_cast<LockedOperation&>(*read.group);
  operation.unfinished_[operation.unfinished_count_++] = &read;
  decided(operation, read, now);
}

void LockedSubpages::leave(GroupedRead& read, Tick now) {
  decided(static_cast<LockedOperation&>(*std::exchange(read.group, nullptr)), read, now);
}

void LockedSubpages::decided(LockedOperation& operation, const FlashOp& last, Tick now) {
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

}  // namespace nandscape::controller

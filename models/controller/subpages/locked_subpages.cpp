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
  operation.unfinished_.push_back(&read);
  decided(operation, read, now);
}

void LockedSubpages::leave(GroupedRead& read, Tick now) {
  decided(static_cast<LockedOperation&>(*std::exchange(read.group, nullptr)), read, now);
}

void LockedSubpages::decided(LockedOperation& operation, const FlashOp& last, Tick now) {
  if (--operation.undecided_ != 0) return;
  if (operation.unfinished_.empty()) {
    operations_.release(operation);
    scheduler_.unlock_die(last.channel, last.command.die, now);
    return;
  }
  operation.undecided_ = static_cast<std::uint32_t>(operation.unfinished_.size());
  scheduler_.hold();
  for (FlashOp* read : operation.unfinished_) scheduler_.enqueue(*read, now, QueuePosition::under_lock);
  scheduler_.send_held(now);
  operation.unfinished_.clear();
}

}  // namespace nandscape::controller

// SPDX-License-Identifier: Apache-2.0
#include "controller/subpages/subpage_grouping.h"

#include <algorithm>
#include <cstdlib>
#include <utility>

#include "controller/flash_ops/scheduler/die_queues.h"

namespace nandscape::controller {

bool SubpageGrouping::takes(const FlashOp& read) const {
  const NandCommand& command = read.command;
  // A read without data is of a page's tag: nothing is decoded that others could wait for.
  if (!read.may_join || read.locks_die || command.bytes == 0) return false;
  return subpage_of(command.first_byte) == subpage_of(command.first_byte + command.bytes - 1);
}

bool SubpageGrouping::may_join(const std::vector<FlashOp*>& group, const FlashOp& read) const {
  if (!takes(read)) return false;
  const auto fits = [&](const FlashOp& subpage) {
    return std::all_of(group.begin(), group.end(), [&](const FlashOp* member) {
      return member->plane == subpage.plane && member->command.block != subpage.command.block &&
             member->command.subpage != subpage_of(subpage.command.first_byte);
    });
  };
  if (read.companion == nullptr) return fits(read);
  return group.size() + 2 <= subpages_per_page && fits(read) && fits(*read.companion);
}

// Of those that may join, takes the first whose expected round is nearest to that of the group's first read.
FlashOp* SubpageGrouping::take_partner(const std::vector<FlashOp*>& group, OpQueue& queue) const {
  const auto distance = [&](const FlashOp& read) {
    return std::abs(read.expected_round - group.front()->expected_round);
  };
  FlashOp* best = nullptr;
  FlashOp* before_best = nullptr;
  FlashOp* before = nullptr;
  int looked_at = 0;
  for (FlashOp* read = queue.front(); read != nullptr && looked_at < DieQueues::read_search; ++looked_at) {
    if (may_join(group, *read) && (best == nullptr || distance(*read) < distance(*best))) {
      best = read;
      before_best = before;
    }
    before = std::exchange(read, read->next);
  }
  if (best != nullptr) queue.remove_after(before_best);
  return best;
}

void SubpageGrouping::add(std::vector<FlashOp*>& group, FlashOp& read) const {
  read.command.single_operation = true;
  read.command.subpage = static_cast<std::uint8_t>(subpage_of(read.command.first_byte));
  group.push_back(&read);
}

void SubpageGrouping::gather(FlashOp& first, OpQueue& queue, std::vector<FlashOp*>& group, Tick now) const {
  for (FlashOp* read = &first; read != nullptr;) {
    add(group, *read);
    if (read->companion != nullptr) {
      read->companion->arrival = now;
      read->companion->command.owner = read->companion;
      add(group, *read->companion);
    }
    read = group.size() < subpages_per_page ? take_partner(group, queue) : nullptr;
  }
}

}  // namespace nandscape::controller

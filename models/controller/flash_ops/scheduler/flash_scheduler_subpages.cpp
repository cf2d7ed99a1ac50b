// SPDX-License-Identifier: Apache-2.0
// Which reads of subpages go together, as one operation of one plane (SOML): they share neither bitlines nor block
// decoders.
#include <algorithm>
#include <cstdlib>
#include <utility>

#include "controller/flash_ops/scheduler/flash_scheduler.h"

namespace nandscape {

bool FlashScheduler::reads_subpage(const FlashOp& read) const {
  // Of a page's tag, nothing is decoded that others could wait for.
  if (parameters_.subpage_reads == SubpageReads::none || !read.may_join) return false;
  const NandCommand& command = read.command;
  if (read.locks_die || command.bytes == 0) return false;
  return subpage_of(command.first_byte) == subpage_of(command.first_byte + command.bytes - 1);
}

bool FlashScheduler::may_join(const std::vector<FlashOp*>& group, const FlashOp& read) const {
  if (!reads_subpage(read)) return false;
  const auto fits = [&](const FlashOp& subpage) {
    return std::all_of(group.begin(), group.end(), [&](const FlashOp* member) {
      return member->plane == subpage.plane && member->command.block != subpage.command.block &&
             member->command.subpage != subpage_of(subpage.command.first_byte);
    });
  };
  if (read.companion == nullptr) return fits(read);
  return group.size() + 2 <= subpages_per_page && fits(read) && fits(*read.companion);
}

// The first one, of those that are likely to be decoded at the read that is nearest to that of the main request.
FlashOp* FlashScheduler::take_partner(const std::vector<FlashOp*>& group, OpQueue& queue) const {
  const auto distance = [&](const FlashOp& read) {
    return std::abs(read.expected_round - group.front()->expected_round);
  };
  FlashOp* best = nullptr;
  FlashOp* before_best = nullptr;
  FlashOp* before = nullptr;
  int looked_at = 0;
  for (FlashOp* read = queue.front(); read != nullptr && looked_at < read_search; ++looked_at) {
    if (may_join(group, *read) && (best == nullptr || distance(*read) < distance(*best))) {
      best = read;
      before_best = before;
    }
    before = std::exchange(read, read->next);
  }
  if (best != nullptr) queue.remove_after(before_best);
  return best;
}

void FlashScheduler::add_subpage(DieState& die, FlashOp& read) {
  read.command.single_operation = true;
  read.command.subpage = static_cast<std::uint8_t>(subpage_of(read.command.first_byte));
  die.group.push_back(&read);
}

void FlashScheduler::gather_subpages(DieState& die, FlashOp& main, OpQueue& queue, Tick now) {
  for (FlashOp* read = &main; read != nullptr;) {
    add_subpage(die, *read);
    if (read->companion != nullptr) {
      read->companion->arrival = now;
      read->companion->command.owner = read->companion;
      add_subpage(die, *read->companion);
    }
    read = die.group.size() < subpages_per_page ? take_partner(die.group, queue) : nullptr;
  }
  if (parameters_.subpage_reads == SubpageReads::soml) {
    die.locked = true;
    ++locked_dies_;
    for (FlashOp* read : die.group) read->locks_die = true;
  }
  die.group.front()->gathered(die.group, now);
}

}  // namespace nandscape

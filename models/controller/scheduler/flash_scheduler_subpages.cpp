// SPDX-License-Identifier: Apache-2.0
// Which reads of subpages go together, as one operation of one plane (SOML): they share neither bitlines nor block
// decoders.
#include <algorithm>
#include <cstdlib>
#include <utility>

#include "controller/scheduler/flash_scheduler.h"

namespace nandscape {

bool FlashScheduler::reads_subpage(const FlashTransaction& read) const {
  // Of a page's tag, nothing is decoded that others could wait for.
  if (parameters_.subpage_reads == SubpageReads::none || read.purpose == Purpose::recovery_read) return false;
  const NandCommand& command = read.command;
  if (read.opens_session || command.bytes == 0) return false;
  return subpage_of(command.first_byte) == subpage_of(command.first_byte + command.bytes - 1);
}

bool FlashScheduler::may_join(const std::vector<FlashTransaction*>& group, const FlashTransaction& read) const {
  if (!reads_subpage(read)) return false;
  const auto fits = [&](const FlashTransaction& subpage) {
    return std::all_of(group.begin(), group.end(), [&](const FlashTransaction* member) {
      return member->plane == subpage.plane && member->command.block != subpage.command.block &&
             member->command.subpage != subpage_of(subpage.command.first_byte);
    });
  };
  if (read.lender == nullptr) return fits(read);
  return group.size() + 2 <= subpages_per_page && fits(read) && fits(*read.lender);
}

// The first one, of those that are likely to be decoded at the read that is nearest to that of the main request.
FlashTransaction* FlashScheduler::take_partner(const std::vector<FlashTransaction*>& group,
                                               TransactionQueue& queue) const {
  const auto distance = [&](const FlashTransaction& read) {
    return std::abs(read.expected_round - group.front()->expected_round);
  };
  FlashTransaction* best = nullptr;
  FlashTransaction* before_best = nullptr;
  FlashTransaction* before = nullptr;
  int looked_at = 0;
  for (FlashTransaction* read = queue.front(); read != nullptr && looked_at < read_search; ++looked_at) {
    if (may_join(group, *read) && (best == nullptr || distance(*read) < distance(*best))) {
      best = read;
      before_best = before;
    }
    before = std::exchange(read, read->next);
  }
  if (best != nullptr) queue.remove_after(before_best);
  return best;
}

void FlashScheduler::add_subpage(DieState& die, FlashTransaction& read) {
  read.command.single_operation = true;
  read.command.subpage = static_cast<std::uint8_t>(subpage_of(read.command.first_byte));
  die.group.push_back(&read);
}

void FlashScheduler::gather_subpages(DieState& die, FlashTransaction& main, TransactionQueue& queue, Tick now) {
  for (FlashTransaction* read = &main; read != nullptr;) {
    add_subpage(die, *read);
    if (read->lender != nullptr) {
      read->lender->arrival = now;
      read->lender->command.owner = read->lender;
      add_subpage(die, *read->lender);
    }
    read = die.group.size() < subpages_per_page ? take_partner(die.group, queue) : nullptr;
  }
  if (parameters_.subpage_reads == SubpageReads::soml) {
    die.in_session = true;
    ++sessions_;
    for (FlashTransaction* read : die.group) read->opens_session = true;
  }
  client_.subpages_gathered(die.group, now);
}

}  // namespace nandscape

// SPDX-License-Identifier: Apache-2.0
// Which reads of subpages go together, as one operation of one plane (SOML). Where bitlines and block decoders are
// shared they cannot.
#include <algorithm>

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
  return std::all_of(group.begin(), group.end(), [&](const FlashTransaction* member) {
    return member->plane == read.plane && member->command.block != read.command.block &&
           member->command.subpage != subpage_of(read.command.first_byte);
  });
}

void FlashScheduler::gather_subpages(DieState& die, FlashTransaction& first, TransactionQueue& queue, Tick now) {
  const auto take = [&](FlashTransaction& read) {
    read.command.single_operation = true;
    read.command.subpage = static_cast<std::uint8_t>(subpage_of(read.command.first_byte));
    die.group.push_back(&read);
  };
  take(first);
  FlashTransaction* before = nullptr;
  int looked_at = 0;
  for (FlashTransaction* other = queue.front(); other != nullptr && looked_at < read_search; ++looked_at) {
    FlashTransaction* const next = other->next;
    if (may_join(die.group, *other)) {
      queue.remove_after(before);
      take(*other);
      if (die.group.size() == subpages_per_page) break;
    } else {
      before = other;
    }
    other = next;
  }
  die.in_session = true;
  ++sessions_;
  for (FlashTransaction* read : die.group) read->opens_session = true;
  client_.subpages_gathered(die.group, now);
}

}  // namespace nandscape

// SPDX-License-Identifier: Apache-2.0
#include "controller/subpages/subpage_grouping.h"

#include <algorithm>
#include <bit>
#include <cstdlib>
#include <utility>

#include "controller/flash_ops/scheduler/die_queues.h"

namespace nandscape::controller {

void describe(SubpageParameters& p, ParameterVisitor& v) {
  v.unread_if(p.reads == SubpageReads::none, {"most_per_operation"}, "reads is none");
  v.choice("reads", p.reads,
           {{"none", "each read is an operation of its own"},
            {"soml",
             "the oldest read is joined by others of its host command, and of its die, that share neither bitlines nor "
             "block decoders; the die takes no other command until all of them are decoded"},
            {"srs",
             "as soml, but reads that are likely to be decoded at about the same retry go first, and a retry "
             "is joined by other waiting reads, with as many sensing levels: layer-aware subpage read scheduling"}},
           "how reads of pages and of page quarters are sent");
  v.integer("most_per_operation", p.most_per_operation, {0, 1 << 16}, "",
            "page quarters that one operation reads, unless its first read takes more; 0: as many as the bitlines "
            "allow");
}

std::uint8_t SubpageGrouping::subpages_of(const NandCommand& read) const {
  const std::uint32_t first = read.first_byte / subpage_bytes_;
  const std::uint32_t last = (read.first_byte + read.bytes - 1) / subpage_bytes_;
  return static_cast<std::uint8_t>((2u << last) - (1u << first));
}

bool SubpageGrouping::takes(const FlashOp& read) const {
  // A read without data reads only the tag of its page and decodes nothing. It is not grouped, so that other reads need
  // not wait for it.
  if (!read.may_join || read.locks_die || read.command.bytes == 0) return false;
  return whole_pages_ || subpages_of(read.command) != all_subpages;
}

bool SubpageGrouping::fit(const FlashOp& one, const FlashOp& other) const {
  if (one.plane != other.plane) return across_planes_;
  return one.command.block != other.command.block && (subpages_of(one.command) & subpages_of(other.command)) == 0;
}

bool SubpageGrouping::too_many(const OpQueue& group, const FlashOp& read) const {
  const auto count = [&](const FlashOp& member) {
    return static_cast<std::uint32_t>(std::popcount(subpages_of(member.command)));
  };
  std::uint32_t subpages = count(read) + (read.companion == nullptr ? 0 : count(*read.companion));
  for (const FlashOp& member : group) subpages += count(member);
  return subpages > most_;
}

bool SubpageGrouping::may_join(const OpQueue& group, const FlashOp& read) const {
  if (!takes(read) || (most_ != 0 && too_many(group, read))) return false;
  const auto fits = [&](const FlashOp& newcomer) {
    return std::ranges::all_of(group, [&](const FlashOp& member) { return fit(member, newcomer); });
  };
  return fits(read) && (read.companion == nullptr || fits(*read.companion));
}

FlashOp* SubpageGrouping::take_partner(const OpQueue& group, OpQueue& queue) const {
  const FlashOp& main = *group.front();
  // Reads are compared by this value, and the read with the lowest value is chosen. Among reads with equal values, the
  // oldest is chosen.
  const auto preference = [&](const FlashOp& read) {
    const bool of_its_command = main.command.request != 0 && read.command.request == main.command.request;
    return std::pair(!of_its_command, std::abs(read.expected_round - main.expected_round));
  };
  FlashOp* best = nullptr;
  FlashOp* before_best = nullptr;
  FlashOp* before = nullptr;
  int looked_at = 0;
  for (FlashOp* read = queue.front(); read != nullptr && looked_at < DieQueues::read_search; ++looked_at) {
    if (may_join(group, *read) && (best == nullptr || preference(*read) < preference(*best))) {
      best = read;
      before_best = before;
    }
    before = std::exchange(read, read->next);
  }
  if (best != nullptr) queue.remove_after(before_best);
  return best;
}

void SubpageGrouping::add(OpQueue& group, FlashOp& read) const {
  read.command.single_operation = true;
  read.command.subpages = subpages_of(read.command);
  group.push(read);
}

void SubpageGrouping::gather(FlashOp& first, OpQueue& queue, OpQueue& group, Tick now) const {
  for (FlashOp* read = &first; read != nullptr; read = take_partner(group, queue)) {
    add(group, *read);
    if (read->companion != nullptr) {
      read->companion->arrival = now;
      read->companion->command.owner = read->companion;
      read->companion->die = read->die;
      add(group, *read->companion);
    }
  }
}

}  // namespace nandscape::controller

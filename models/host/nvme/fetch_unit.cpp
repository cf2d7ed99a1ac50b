// SPDX-License-Identifier: Apache-2.0
#include "host/nvme/fetch_unit.h"

#include <algorithm>

namespace nandscape::host {

FetchUnit::FetchUnit(ControllerParts& parts)
    : parts_(parts),
      arbiter_(parts.queues),
      fetches_(parts.parameters.fetches),
      entries_(std::size_t{parts.parameters.fetches} * parts.parameters.fetch_entries) {
  for (std::uint32_t k = parts.parameters.fetches; k-- > 0;) free_.push_back(k);
  configure(false);
}

void FetchUnit::tail_doorbell(std::uint16_t queue, std::uint32_t value) {
  SubmissionQueue& sq = parts_.queues.submission[queue];
  sq.tail = value;
  if (sq.backlog() == 0) return;
  arbiter_.add(queue);
  run();
}

// fetched() drops the fetches under way, since their queue or its generation no longer exists.
void FetchUnit::reset() { arbiter_.clear(); }

void FetchUnit::left_queue(std::uint32_t index) {
  const Fetch& fetch = fetches_[index];
  for (std::uint32_t k = 0; k < fetch.count; ++k) {
    const nvme::SubmissionEntry& entry = entries_[index * parts_.parameters.fetch_entries + k];
    TimeSheet* const sheet = parts_.times->find(fetch.queue, entry.command_id);
    if (sheet != nullptr) sheet->enter(LatencyPart::link, fetch.begin);
  }
}

void FetchUnit::note_limits() {
  const Tick now = parts_.calendar.now();
  held_back_ = arbiter_.any();
  const bool no_slot = held_back_ && parts_.commands.free_slots() <= reserved_;
  at_slots_.set(no_slot, now);
  at_fetches_.set(held_back_ && !no_slot && free_.empty(), now);
}

void FetchUnit::fetch() {
  while (arbiter_.any() && !free_.empty() && parts_.commands.free_slots() > reserved_) {
    const std::uint32_t limit = std::min(parts_.parameters.fetch_entries, parts_.commands.free_slots() - reserved_);
    const Arbiter::Turn turn = arbiter_.next(limit);
    if (turn.commands == 0) return;
    const std::uint32_t index = free_.back();
    free_.pop_back();
    SubmissionQueue& sq = parts_.queues.submission[turn.queue];
    fetches_[index] = {turn.queue, turn.commands, sq.generation, parts_.calendar.now()};
    reserved_ += turn.commands;
    ++parts_.health.counters().entry_fetches;

    const std::uint64_t address = sq.base + std::uint64_t{sq.asked} * sizeof(nvme::SubmissionEntry);
    sq.asked += turn.commands;
    if (sq.asked == sq.size) sq.asked = 0;
    auto* into = reinterpret_cast<std::byte*>(&entries_[index * parts_.parameters.fetch_entries]);
    parts_.dma.read(address, into, turn.commands * static_cast<std::uint32_t>(sizeof(nvme::SubmissionEntry)),
                    {DmaTag::Purpose::submission_entries, index});
  }
}

}  // namespace nandscape::host

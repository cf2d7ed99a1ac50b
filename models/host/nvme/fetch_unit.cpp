// SPDX-License-Identifier: Apache-2.0
#include "host/nvme/fetch_unit.h"

#include <algorithm>
#include <utility>

namespace nandscape::host {

FetchUnit::FetchUnit(ControllerParts& parts)
    : parts_(parts),
      arbiter_(parts.queues),
      fetches_(parts.parameters.fetches),
      entries_(std::size_t{parts.parameters.fetches} * parts.parameters.fetch_entries) {
  for (std::uint32_t k = parts.parameters.fetches; k-- > 0;) {
    Fetch& fetch = fetches_[k];
    fetch.entries = &entries_[std::size_t{k} * parts.parameters.fetch_entries];
    fetch.index = k;
    fetch.next_free = free_;
    free_ = &fetch;
  }
  configure(false);
}

// Removes all queues from the arbiter. The fetches under way end later, and fetched() drops them, because their queue
// has been deleted or created again meanwhile.
void FetchUnit::reset() { arbiter_.clear(); }

void FetchUnit::left_queue(const Fetch& fetch) {
  for (std::uint32_t k = 0; k < fetch.count; ++k) {
    TimeSheet* const sheet = parts_.times->find(fetch.queue->number, fetch.entries[k].command_id);
    if (sheet != nullptr) sheet->enter(LatencyPart::link, fetch.begin);
  }
}

void FetchUnit::fetch() {
  std::uint32_t slots = parts_.commands.free_slots();
  while (arbiter_.any() && free_ != nullptr && slots != 0) {
    const Arbiter::Turn turn = arbiter_.next(std::min(parts_.parameters.fetch_entries, slots));
    if (turn.commands == 0) break;
    slots -= turn.commands;
    send(turn);
  }
  if (arbiter_.any() || held_back_) set_held_back(slots);
}

// Records whether entries wait, and for which limit. `slots` is the number of free command slots.
void FetchUnit::set_held_back(std::uint32_t slots) {
  held_back_ = arbiter_.any();
  const Tick now = parts_.calendar.now();
  at_slots_.set(held_back_ && slots == 0, now);
  at_fetches_.set(held_back_ && slots != 0 && free_ == nullptr, now);
}

// Sends the read that fetches the commands of a turn.
inline void FetchUnit::send(const Arbiter::Turn& turn) {
  SubmissionQueue& sq = *turn.queue;
  Fetch& fetch = *free_;
  free_ = fetch.next_free;
  fetch.queue = &sq;
  fetch.count = turn.commands;
  fetch.generation = sq.generation;
  fetch.begin = parts_.calendar.now();
  parts_.commands.reserve(turn.commands);
  ++parts_.health.counters().entry_fetches;

  const std::uint64_t address = sq.base + std::uint64_t{sq.asked} * sizeof(nvme::SubmissionEntry);
  sq.asked += turn.commands;
  if (sq.asked == sq.size) sq.asked = 0;
  parts_.dma.read(address, reinterpret_cast<std::byte*>(fetch.entries),
                  turn.commands * static_cast<std::uint32_t>(sizeof(nvme::SubmissionEntry)),
                  {DmaTag::Purpose::submission_entries, fetch.index});
}

}  // namespace nandscape::host

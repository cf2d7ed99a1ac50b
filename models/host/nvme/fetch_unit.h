// SPDX-License-Identifier: Apache-2.0
// Fetches submission queue entries from host memory. One read fetches all entries that the tail doorbell has announced,
// up to the limits of the queue's turn, of the free command slots and of the parameter `fetch_entries`.
#pragma once

#include <cstdint>
#include <vector>

#include "core/time_at_limit.h"
#include "host/nvme/arbiter.h"
#include "host/nvme/controller_parts.h"

namespace nandscape::host {

class FetchUnit {
 public:
  explicit FetchUnit(ControllerParts& parts);

  // Sets up the arbitration when the host enables the controller. `weighted` is the choice in CC.AMS; the burst and the
  // weights are taken from the feature Arbitration.
  void configure(bool weighted) { arbiter_.configure(weighted_ = weighted, parts_.features.arbitration()); }
  void reconfigure() { configure(weighted_); }

  void tail_doorbell(SubmissionQueue& sq, std::uint32_t value) {
    sq.tail = value;
    if (sq.backlog() == 0) return;
    arbiter_.add(sq);
    fetch();
  }
  void queue_deleted(std::uint16_t queue) { arbiter_.remove(parts_.queues.submission[queue]); }
  void reset();

  // Starts fetches as long as there are commands to fetch, free command slots, and fewer than `fetches` fetches under
  // way.
  void run() {
    if (arbiter_.any() || held_back_) fetch();
  }

  // Return the time for which entries waited in their queues: slots() for a free command slot, fetches() because too
  // many fetches were under way.
  const TimeAtLimit& slots() const { return at_slots_; }
  const TimeAtLimit& fetches() const { return at_fetches_; }
  void persist_counters(Archive& archive) { archive(at_slots_, at_fetches_); }

  // Call when the read of a fetch has ended. Calls start(queue, entry) for each entry, in order, and returns false if
  // the read failed. The fetch of a deleted queue is dropped.
  template <class Start>
  bool fetched(std::uint32_t index, bool ok, Start start) {
    // start() may reuse this object for another fetch, if a command completes at once
    Fetch& fetch = fetches_[index];
    SubmissionQueue& sq = *fetch.queue;
    const nvme::SubmissionEntry* entry = fetch.entries;
    const nvme::SubmissionEntry* const end = entry + fetch.count;
    fetch.next_free = free_;
    free_ = &fetch;
    const bool queue_gone = !sq.exists || sq.generation != fetch.generation;
    if (queue_gone || !ok) [[unlikely]] {
      parts_.commands.unreserve(fetch.count);
      return queue_gone;
    }
    if (parts_.times != nullptr) [[unlikely]]
      left_queue(fetch);
    for (; entry != end; ++entry) {
      sq.head = sq.head + 1 == sq.size ? 0 : sq.head + 1;
      start(sq, *entry);
    }
    return true;
  }

 private:
  void fetch();
  void send(const Arbiter::Turn& turn);

  struct Fetch {
    SubmissionQueue* queue = nullptr;
    nvme::SubmissionEntry* entries = nullptr;  // room for `fetch_entries` entries
    std::uint32_t index = 0;
    std::uint32_t count = 0;
    std::uint32_t generation = 0;
    Tick begin = 0;
    Fetch* next_free = nullptr;
  };

  // Records in the time sheets of the fetched commands that they left their queue when the fetch began.
  [[gnu::noinline]] void left_queue(const Fetch& fetch);
  void set_held_back(std::uint32_t slots);

  ControllerParts& parts_;
  Arbiter arbiter_;
  bool weighted_ = false;
  std::vector<Fetch> fetches_;
  std::vector<nvme::SubmissionEntry> entries_;  // `fetch_entries` entries for each fetch
  Fetch* free_ = nullptr;                       // the first of a list of the fetches that are not under way
  bool held_back_ = false;                      // entries wait for a slot or for a fetch
  TimeAtLimit at_slots_;
  TimeAtLimit at_fetches_;
};

}  // namespace nandscape::host

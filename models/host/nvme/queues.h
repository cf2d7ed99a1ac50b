// SPDX-License-Identifier: Apache-2.0
// The controller's view of the NVMe queues, which are rings in host memory. One entry of a ring always stays empty, so
// that a full ring can be distinguished from an empty ring.
#pragma once

#include <cstdint>
#include <deque>
#include <utility>
#include <vector>

#include "core/ring.h"
#include "core/ticks.h"
#include "protocol/nvme.h"
#include "protocol/priority_class.h"

namespace nandscape::host {

struct CompletionQueue;

struct SubmissionQueue {
  bool exists = false;
  PriorityClass priority = PriorityClass::urgent;  // QPRIO
  std::uint16_t number = 0;                        // its identifier
  std::uint32_t size = 0;
  CompletionQueue* completions = nullptr;
  std::uint64_t base = 0;
  std::uint32_t tail = 0;                // value of the last tail doorbell
  std::uint32_t asked = 0;               // entries before this one are fetched or being fetched
  std::uint32_t head = 0;                // entries before this one are fetched; reported in completion entries
  std::uint64_t started = 0;             // commands started since the queue was created
  std::uint32_t generation = 0;          // number of times that the queue was created, to recognise old fetches
  bool waits_for_turn = false;           // waits in a list of the arbiter
  SubmissionQueue* next = nullptr;       // the next queue in this list
  std::vector<std::uint8_t> ids_in_use;  // 1 for each command identifier in use, up to the largest one seen

  // Marks the identifier as in use. Returns false when it was in use already.
  [[nodiscard]] bool take_id(std::uint16_t id) {
    if (id >= ids_in_use.size()) [[unlikely]]
      provide_for(id);
    return std::exchange(ids_in_use[id], std::uint8_t{1}) == 0;
  }
  [[gnu::noinline]] void provide_for(std::uint16_t id) { ids_in_use.resize(id + std::size_t{1}); }
  void give_back_id(std::uint16_t id) { ids_in_use[id] = 0; }

  std::uint32_t backlog() const { return tail >= asked ? tail - asked : tail + size - asked; }
};

// A write of the head doorbell frees entries when it arrives at the controller, but the head matters only when the
// queue is full. So the writes are recorded with their arrival times. They are applied when the queue seems to be full,
// and when many of them are recorded.
struct CompletionQueue {
  struct HeadWrite {
    Tick arrival = 0;
    std::uint32_t value = 0;
  };

  bool exists = false;
  bool interrupts = false;
  bool phase = true;
  bool waking = false;  // an event is scheduled that looks for free entries
  std::uint16_t vector = 0;
  std::uint16_t users = 0;  // submission queues whose completions are posted here
  std::uint32_t size = 0;
  std::uint32_t head = 0;
  std::uint32_t tail = 0;
  std::uint32_t room = 0;  // at least this many entries are free; 0 while entries wait
  std::uint64_t base = 0;
  static constexpr std::size_t many_head_writes = 16;
  Ring<HeadWrite> head_writes;
  std::deque<nvme::CompletionEntry> waiting;  // completion entries that wait for room in the ring

  bool full() const { return (tail + 1 == size ? 0 : tail + 1) == head; }

  // Returns whether an entry can be posted at once. Recorded head doorbells are applied only if the queue seems to be
  // full, because a later head can only free more entries.
  [[nodiscard]] bool has_room(Tick now) { return room != 0 || find_room(now); }
  [[gnu::noinline]] bool find_room(Tick now) {
    apply_heads(now);
    if (waiting.empty()) room = (head > tail ? head : head + size) - tail - 1;
    return room != 0;
  }

  [[gnu::noinline]] void apply_heads(Tick now) {
    while (!head_writes.empty() && head_writes.front().arrival <= now) {
      head = head_writes.front().value;
      head_writes.pop();
    }
  }
  // Returns the arrival time of the earliest recorded head doorbell write that has not been applied; `never` if there
  // is none.
  Tick next_head() const { return head_writes.empty() ? never : head_writes.front().arrival; }

  void advance_tail() {
    if (++tail == size) {
      tail = 0;
      phase = !phase;
    }
  }
};

// All queues, indexed by their identifier. The queues with identifier 0 are the admin queues.
struct QueueSet {
  explicit QueueSet(std::uint32_t io_queues) : count(io_queues + 1), submission(count), completion(count) {}

  bool valid_submission(std::uint32_t id) const { return id < count && submission[id].exists; }
  bool valid_completion(std::uint32_t id) const { return id < count && completion[id].exists; }
  bool any_io() const {
    for (std::size_t k = 1; k < submission.size(); ++k) {
      if (submission[k].exists || completion[k].exists) return true;
    }
    return false;
  }

  void create_completion(std::uint16_t id, std::uint64_t base, std::uint32_t size, bool interrupts,
                         std::uint16_t vector) {
    completion[id] = {};
    CompletionQueue& queue = completion[id];
    queue.exists = true;
    queue.base = base;
    queue.size = size;
    queue.interrupts = interrupts;
    queue.vector = vector;
  }

  void create_submission(std::uint16_t id, std::uint64_t base, std::uint32_t size, std::uint16_t completion_queue,
                         PriorityClass priority) {
    const std::uint32_t generation = submission[id].generation + 1;
    submission[id] = {};
    SubmissionQueue& queue = submission[id];
    queue.exists = true;
    queue.number = id;
    queue.base = base;
    queue.size = size;
    queue.completions = &completion[completion_queue];
    queue.priority = priority;
    queue.generation = generation;
    ++queue.completions->users;
  }

  void delete_submission(std::uint16_t id) {
    --submission[id].completions->users;
    submission[id].exists = false;
  }

  const std::uint32_t count;  // number of queues of each kind
  std::vector<SubmissionQueue> submission;
  std::vector<CompletionQueue> completion;
};

}  // namespace nandscape::host

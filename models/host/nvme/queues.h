// SPDX-License-Identifier: Apache-2.0
// The rings of NVMe in host memory, as the controller keeps them. One entry of a ring always stays empty, so that full
// and empty differ.
#pragma once

#include <cstdint>
#include <deque>
#include <vector>

#include "core/ticks.h"
#include "protocol/nvme.h"

namespace nandscape {

// QPRIO of Create I/O Submission Queue; admin is ahead of all of them.
enum class QueueClass : std::uint8_t { urgent, high, medium, low, admin };
inline constexpr std::size_t queue_classes = 5;

struct SubmissionQueue {
  bool exists = false;
  QueueClass priority = QueueClass::urgent;
  std::uint16_t completion_queue = 0;
  std::uint32_t size = 0;
  std::uint64_t base = 0;
  std::uint32_t tail = 0;        // as of the doorbell
  std::uint32_t asked = 0;       // entries before this one are fetched or on their way
  std::uint32_t head = 0;        // entries before this one are fetched: what completions report
  std::uint32_t generation = 0;  // counts creations: a fetch that ends after the queue was deleted is recognised
  bool waits_for_turn = false;   // the arbiter holds it

  std::uint32_t backlog() const { return tail >= asked ? tail - asked : tail + size - asked; }
};

// The head doorbell frees entries when it arrives, but nothing need happen then unless the queue is full: arrivals are
// noted and applied when they matter.
struct CompletionQueue {
  struct HeadWrite {
    Tick arrival;
    std::uint32_t value;
  };

  bool exists = false;
  bool interrupts = false;
  bool phase = true;
  bool waking = false;  // an event will look for free entries
  std::uint16_t vector = 0;
  std::uint16_t users = 0;  // submission queues that complete here
  std::uint32_t size = 0;
  std::uint32_t head = 0;
  std::uint32_t tail = 0;
  std::uint64_t base = 0;
  std::vector<HeadWrite> head_writes;
  std::size_t head_writes_applied = 0;
  std::deque<nvme::CompletionEntry> waiting;  // for a free entry

  bool full() const { return (tail + 1 == size ? 0 : tail + 1) == head; }

  void note_head(Tick arrival, std::uint32_t value) { head_writes.push_back({arrival, value}); }
  void apply_heads(Tick now) {
    while (head_writes_applied < head_writes.size() && head_writes[head_writes_applied].arrival <= now) {
      head = head_writes[head_writes_applied++].value;
    }
    if (head_writes_applied == head_writes.size()) {
      head_writes.clear();
      head_writes_applied = 0;
    } else if (head_writes_applied >= 64) {
      head_writes.erase(head_writes.begin(), head_writes.begin() + static_cast<std::ptrdiff_t>(head_writes_applied));
      head_writes_applied = 0;
    }
  }
  // When the next head doorbell arrives, or `never`.
  Tick next_head() const {
    return head_writes_applied < head_writes.size() ? head_writes[head_writes_applied].arrival : never;
  }

  void advance_tail() {
    if (++tail == size) {
      tail = 0;
      phase = !phase;
    }
  }
};

// All queues by identifier; 0 is the admin pair.
struct QueueSet {
  explicit QueueSet(std::uint32_t io_queues) : submission(io_queues + 1), completion(io_queues + 1) {}

  bool valid_submission(std::uint32_t id) const { return id < submission.size() && submission[id].exists; }
  bool valid_completion(std::uint32_t id) const { return id < completion.size() && completion[id].exists; }
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
                         QueueClass priority) {
    const std::uint32_t generation = submission[id].generation + 1;
    submission[id] = {};
    SubmissionQueue& queue = submission[id];
    queue.exists = true;
    queue.base = base;
    queue.size = size;
    queue.completion_queue = completion_queue;
    queue.priority = priority;
    queue.generation = generation;
    ++completion[completion_queue].users;
  }

  void delete_submission(std::uint16_t id) {
    --completion[submission[id].completion_queue].users;
    submission[id].exists = false;
  }

  std::vector<SubmissionQueue> submission;
  std::vector<CompletionQueue> completion;
};

}  // namespace nandscape

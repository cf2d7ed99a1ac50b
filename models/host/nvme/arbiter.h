// SPDX-License-Identifier: Apache-2.0
// Chooses the submission queue from which the controller fetches next.
//
// Round robin: all queues with commands, including the admin queue, take turns. In one turn, a queue sends at most as
// many commands as the arbitration burst.
//
// Weighted round robin with urgent priority class (NVM Express, section on command arbitration): the admin queue comes
// before the urgent queues, and the urgent queues come before the classes high, medium and low. In each round, each of
// these three classes sends at most as many commands as its weight, and the queues of a class take turns. So a class
// waits for at most one round of the other two classes. Only the admin queue and the urgent queues can delay it longer.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>

#include "host/nvme/queues.h"

namespace nandscape::host {

class Arbiter {
 public:
  struct Turn {
    SubmissionQueue* queue = nullptr;
    std::uint32_t commands = 0;  // 0: no queue has commands
  };

  explicit Arbiter(QueueSet& queues) : queues_(queues) {}

  // Sets the arbitration mechanism and its parameters. `weighted` is true if the host has selected weighted round robin
  // in CC.AMS. `feature` is the value of the feature Arbitration: the burst is in bits 2:0, and the weights of the
  // classes low, medium and high are in bits 15:8, 23:16 and 31:24.
  void configure(bool weighted, std::uint32_t feature);

  // Adds a queue that has commands to fetch. Does nothing if the queue already waits for its turn.
  void add(SubmissionQueue& queue) {
    if (queue.waits_for_turn) return;
    queue.waits_for_turn = true;
    ++waiting_queues_;
    waiting_[list_of(queue)].push(queue);
  }
  void remove(SubmissionQueue& queue);
  void clear();

  // Returns whether any queue has commands to fetch.
  bool any() const { return waiting_queues_ != 0; }
  // Returns the next queue and the number of its commands to fetch. The number is at most `limit`, and the commands do
  // not extend past the end of the queue's ring.
  Turn next(std::uint32_t limit) {
    return waiting_[first_list].empty() ? next_of_classes(limit) : serve(first_list, limit);
  }

 private:
  // A list of queues in the order of their turns.
  struct Waiting {
    bool empty() const { return first == nullptr; }
    void push(SubmissionQueue& queue) {
      queue.next = nullptr;
      (empty() ? first : last->next) = &queue;
      last = &queue;
    }
    SubmissionQueue& pop() {
      SubmissionQueue& queue = *first;
      first = queue.next;
      return queue;
    }

    SubmissionQueue* first = nullptr;
    SubmissionQueue* last = nullptr;
  };

  // Queues that have commands wait in lists: one list for each priority class, and one list for the admin queue, which
  // is served first. With round robin, all queues wait in the admin queue's list.
  static constexpr std::size_t first_list = priority_classes;
  std::size_t list_of(const SubmissionQueue& queue) const {
    return weighted_ && queue.number != 0 ? static_cast<std::size_t>(queue.priority) : first_list;
  }
  Turn next_of_classes(std::uint32_t limit);
  // Gives a turn to the first queue of a list. If the queue has commands left afterwards, it moves to the end of the
  // list.
  Turn serve(std::size_t list, std::uint32_t limit) {
    Waiting& waiting = waiting_[list];
    SubmissionQueue& queue = waiting.pop();
    const std::uint32_t backlog = queue.backlog();
    const std::uint32_t commands = std::min({limit, burst_, backlog, queue.size - queue.asked});
    if (commands < backlog) {
      waiting.push(queue);
    } else {
      queue.waits_for_turn = false;
      --waiting_queues_;
    }
    return {&queue, commands};
  }

  QueueSet& queues_;
  bool weighted_ = false;
  std::uint32_t burst_ = 1;
  std::array<std::uint32_t, 3> weights_{1, 1, 1};  // high, medium, low
  std::array<std::uint32_t, 3> credits_{1, 1, 1};
  std::array<Waiting, priority_classes + 1> waiting_;
  std::uint32_t waiting_queues_ = 0;  // in all lists
};

}  // namespace nandscape::host

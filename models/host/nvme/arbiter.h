// SPDX-License-Identifier: Apache-2.0
// Chooses the submission queue to fetch from next.
//
// Round robin: all queues with commands, including the admin queue, take turns of at most the arbitration burst.
//
// Weighted round robin with urgent priority class (NVMe, command arbitration): the admin queue comes before the urgent
// queues, and urgent queues before the classes high, medium and low. In each round, each of these classes sends at most
// as many commands as its weight, and the queues of a class take turns. A class waits for at most one round of the
// others; only the admin queue and urgent queues can delay it longer.
#pragma once

#include <array>
#include <cstdint>

#include "core/ring.h"
#include "host/nvme/queues.h"

namespace nandscape::host {

class Arbiter {
 public:
  struct Turn {
    std::uint16_t queue = 0;
    std::uint32_t commands = 0;  // 0: no queue has commands
  };

  explicit Arbiter(QueueSet& queues) : queues_(queues) {}

  // CC.AMS and the Arbitration feature (AB 2:0, LPW 15:8, MPW 23:16, HPW 31:24).
  void configure(bool weighted, std::uint32_t feature);

  // Adds a queue that has commands to fetch.
  void add(std::uint16_t queue);
  void remove(std::uint16_t queue);
  void clear();

  // Whether any queue has commands to fetch.
  bool any() const { return waiting_queues_ != 0; }
  // Returns the next queue and how many of its commands to fetch: at most `limit`, and not past the end of its ring.
  Turn next(std::uint32_t limit);

 private:
  using Waiting = Ring<std::uint16_t>;

  // The queues with commands are in lists, one for each class and one for the admin queue, which is served first. Round
  // robin keeps all queues in the admin queue's list.
  static constexpr std::size_t first_list = priority_classes;
  std::size_t list_of(std::uint16_t queue) const {
    return weighted_ && queue != 0 ? static_cast<std::size_t>(queues_.submission[queue].priority) : first_list;
  }
  Turn serve(std::size_t list, std::uint32_t limit);

  QueueSet& queues_;
  bool weighted_ = false;
  std::uint32_t burst_ = 1;
  std::array<std::uint32_t, 3> weights_{1, 1, 1};  // high, medium, low
  std::array<std::uint32_t, 3> credits_{1, 1, 1};
  std::array<Waiting, priority_classes + 1> waiting_;
  std::uint32_t waiting_queues_ = 0;  // in all lists
};

}  // namespace nandscape::host

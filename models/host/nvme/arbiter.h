// SPDX-License-Identifier: Apache-2.0
// Which submission queue is fetched from next.
//
// Round robin: all queues with commands, the admin queue too, take turns of at most the arbitration burst.
// Weighted round robin with urgent priority class: the admin queue first, then urgent queues, then the high, medium and
// low classes, each of which may send as many commands per round as its weight says; round robin within a class.
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
    std::uint32_t commands = 0;  // 0: no queue has any
  };

  explicit Arbiter(QueueSet& queues) : queues_(queues) {}

  // CC.AMS and the Arbitration feature (AB 2:0, LPW 15:8, MPW 23:16, HPW 31:24).
  void configure(bool weighted, std::uint32_t feature);

  // The queue has commands to fetch.
  void add(std::uint16_t queue);
  void remove(std::uint16_t queue);
  void clear();

  // Whether any queue has.
  bool any() const { return waiting_queues_ != 0; }
  // The next queue and how many of its commands: at most `limit`, and not past the end of its ring.
  Turn next(std::uint32_t limit);

 private:
  using Waiting = Ring<std::uint16_t>;

  QueueClass class_of(std::uint16_t queue) const {
    return weighted_ ? queues_.submission[queue].priority : QueueClass::admin;
  }
  Waiting& waiting(QueueClass c) { return waiting_[static_cast<std::size_t>(c)]; }
  Turn serve(QueueClass c, std::uint32_t limit);

  QueueSet& queues_;
  bool weighted_ = false;
  std::uint32_t burst_ = 1;
  std::array<std::uint32_t, 3> weights_{1, 1, 1};  // high, medium, low
  std::array<std::uint32_t, 3> credits_{1, 1, 1};
  std::array<Waiting, queue_classes> waiting_;
  std::uint32_t waiting_queues_ = 0;  // in all of them
};

}  // namespace nandscape::host

// SPDX-License-Identifier: Apache-2.0
// Posts completion queue entries: into the next free entry with the current phase tag, followed by the interrupt.
// Entries that find their queue full wait for its head doorbell.
#pragma once

#include <cstdint>

#include "core/calendar.h"
#include "host/nvme/dma_port.h"
#include "host/nvme/health.h"
#include "host/nvme/interrupts.h"
#include "host/nvme/queues.h"

namespace nandscape::host {

class CompletionPath {
 public:
  CompletionPath(Calendar& calendar, DmaPort& port, QueueSet& queues, Interrupts& interrupts, Health& health)
      : calendar_(calendar), port_(port), queues_(queues), interrupts_(interrupts), health_(health) {}

  void post(const Command& command);
  // Whether post() would write the entry at once.
  bool has_room(const Command& command) {
    return queues_.completion[queues_.submission[command.queue].completion_queue].has_room(calendar_.now());
  }
  // The head doorbell of a completion queue, on its way until `arrival`.
  void head_doorbell(std::uint16_t queue, std::uint32_t value, Tick arrival);
  // Sets the interrupt line by what the host has not taken, where interrupts go by it.
  void look_at_line();

 private:
  void write_entry(CompletionQueue& queue, nvme::CompletionEntry entry);
  void hold_back(CompletionQueue& queue, const nvme::CompletionEntry& entry);
  void look_for_room(std::uint64_t queue);
  void wake_with_next_head(CompletionQueue& queue);

  Calendar& calendar_;
  DmaPort& port_;
  QueueSet& queues_;
  Interrupts& interrupts_;
  Health& health_;
};

}  // namespace nandscape::host

// SPDX-License-Identifier: Apache-2.0
// Posts completion queue entries: writes each to the next free place, with the current phase tag, and sends the
// interrupt after it. Entries that find their queue full wait for its head doorbell.
#pragma once

#include <cstdint>

#include "core/calendar.h"
#include "host/nvme/health.h"
#include "host/nvme/interrupts.h"
#include "host/nvme/queues.h"
#include "host/pcie/dma_port.h"

namespace nandscape::host {

class CompletionPath {
 public:
  CompletionPath(Calendar& calendar, DmaPort& port, QueueSet& queues, Interrupts& interrupts, Health& health)
      : calendar_(calendar), port_(port), queues_(queues), interrupts_(interrupts), health_(health) {}

  void post(const Command& command);
  // Whether post() would write the entry at once.
  [[nodiscard]] bool has_room(const Command& command) {
    return queues_.completion[queues_.submission[command.queue].completion_queue].has_room(calendar_.now());
  }
  // Notes a head doorbell of a completion queue that arrives at `arrival`.
  void head_doorbell(std::uint16_t queue, std::uint32_t value, Tick arrival);
  // Asserts the interrupt line while the host has entries to take. Does nothing while MSI-X is on.
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

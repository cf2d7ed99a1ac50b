// SPDX-License-Identifier: Apache-2.0
// Posts completion queue entries. Each entry is written to the next free slot of its queue in host memory, with the
// current phase tag, and is followed by the interrupt. If the queue is full, the entry waits until the host frees a
// slot by writing the head doorbell.
#pragma once

#include <bit>
#include <cstdint>

#include "core/calendar.h"
#include "host/nvme/dma_engine.h"
#include "host/nvme/health.h"
#include "host/nvme/interrupts.h"
#include "host/nvme/queues.h"

namespace nandscape::host {

class CompletionPath {
 public:
  CompletionPath(Calendar& calendar, DmaEngine& dma, QueueSet& queues, Interrupts& interrupts, Health& health)
      : calendar_(calendar), dma_(dma), queues_(queues), interrupts_(interrupts), health_(health) {}

  void post(const Command& command) {
    CompletionQueue& cq = *command.submission_queue->completions;
    if (!cq.has_room(calendar_.now())) [[unlikely]]
      return hold_back(cq, entry_of(command));
    write_entry(cq, entry_of(command));
  }
  // Returns whether post() would write the command's entry at once.
  [[nodiscard]] bool has_room(const Command& command) {
    return command.submission_queue->completions->has_room(calendar_.now());
  }
  // Records a write of a queue's head doorbell, which arrives at `arrival`. This time may be in the future.
  void head_doorbell(CompletionQueue& queue, std::uint32_t value, Tick arrival) {
    queue.note_head(calendar_.now(), arrival, value);
    if (!queue.waiting.empty() || interrupts_.by_line()) [[unlikely]]
      head_will_move(queue, arrival);
  }
  // Asserts the interrupt line if the host has completion entries to take, and deasserts it otherwise. Does nothing
  // while MSI-X is on.
  void look_at_line();

 private:
  // Returns whether the command may succeed if the host retries it. This is assumed if the cause of the error was a
  // data transfer or an abort. After other errors, the completion entry has the bit Do Not Retry set.
  static bool may_succeed_later(nvme::Status error) {
    return error == nvme::Status::data_transfer_error || error == nvme::Status::abort_requested;
  }
  static nvme::CompletionEntry entry_of(const Command& command) {
    const bool retry = command.status == nvme::Status::success || may_succeed_later(command.status);
    return {.dw0 = static_cast<std::uint32_t>(command.result),
            .dw1 = static_cast<std::uint32_t>(command.result >> 32),
            .sq_head = static_cast<std::uint16_t>(command.submission_queue->head),
            .sq_id = command.queue,
            .command_id = command.entry.command_id,
            .status_phase = nvme::status_field(command.status, false, !retry)};
  }
  void write_entry(CompletionQueue& cq, nvme::CompletionEntry entry) {
    entry.status_phase = static_cast<std::uint16_t>(entry.status_phase | (cq.phase ? 1 : 0));
    const std::uint64_t address = cq.base + std::uint64_t{cq.tail} * sizeof entry;
    cq.advance_tail();
    const bool interrupt_follows = cq.interrupts && interrupts_.sends_at_once(cq.vector);
    dma_.write_inline(address, std::bit_cast<DmaPort::InlineBytes>(entry), sizeof entry, interrupt_follows);
    if (interrupt_follows) [[likely]]
      return interrupts_.send_at_once(cq.vector);
    if (cq.interrupts) interrupt_later(cq);
  }
  void interrupt_later(const CompletionQueue& queue);
  void head_will_move(CompletionQueue& queue, Tick arrival);
  void hold_back(CompletionQueue& queue, const nvme::CompletionEntry& entry);
  void look_for_room(std::uint64_t queue);
  void wake_with_next_head(CompletionQueue& queue);

  Calendar& calendar_;
  DmaEngine& dma_;
  QueueSet& queues_;
  Interrupts& interrupts_;
  Health& health_;
};

}  // namespace nandscape::host

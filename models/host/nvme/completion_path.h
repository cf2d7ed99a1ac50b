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

  // Posts the entry of a command that has ended with this error, or with success.
  void post(const Command& command, nvme::Status status) {
    CompletionQueue& cq = *command.submission_queue->completions;
    if (cq.room == 0) [[unlikely]]
      return post_later(command, status);
    --cq.room;
    write_entry(cq, entry_of(command, status));
  }
  // Returns whether post() would write the command's entry at once.
  [[nodiscard]] bool has_room(const Command& command) {
    return command.submission_queue->completions->has_room(calendar_.now());
  }
  // Records a write of a queue's head doorbell, which arrives at `arrival`. This time may be in the future.
  void head_doorbell(CompletionQueue& queue, std::uint32_t value, Tick arrival) {
    const bool many = queue.head_writes.size() >= CompletionQueue::many_head_writes;
    if (many || queue.room == 0 || interrupts_.by_line()) [[unlikely]]
      return head_will_move(queue, value, arrival);
    queue.head_writes.push({arrival, value});
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
  static nvme::CompletionEntry entry_of(const Command& command, nvme::Status status) {
    const bool retry = status == nvme::Status::success || may_succeed_later(status);
    return {.dw0 = static_cast<std::uint32_t>(command.result),
            .dw1 = static_cast<std::uint32_t>(command.result >> 32),
            .sq_head = static_cast<std::uint16_t>(command.submission_queue->head),
            .sq_id = command.queue,
            .command_id = command.entry.command_id,
            .status_phase = nvme::status_field(status, false, !retry)};
  }
  void write_entry(CompletionQueue& cq, nvme::CompletionEntry entry) {
    entry.status_phase = static_cast<std::uint16_t>(entry.status_phase | (cq.phase ? 1 : 0));
    const std::uint64_t address = cq.base + std::uint64_t{cq.tail} * sizeof entry;
    cq.advance_tail();
    const auto bytes = std::bit_cast<DmaPort::InlineBytes>(entry);
    if (!cq.interrupts || !interrupts_.sends_at_once(cq.vector)) [[unlikely]]
      return write_without_interrupt(cq, address, bytes);
    dma_.write_and_interrupt(address, bytes, interrupts_.message_at_once(cq.vector));
  }
  // Writes an entry that is not followed by its interrupt at once, but later or never.
  void write_without_interrupt(const CompletionQueue& queue, std::uint64_t address, DmaPort::InlineBytes entry);
  // Records the write if the queue is full or has many recorded writes, or if the interrupt line signals completions.
  void head_will_move(CompletionQueue& queue, std::uint32_t value, Tick arrival);
  // Posts the entry of a command for whose queue `room` is 0, or holds it back if the queue is full.
  void post_later(const Command& command, nvme::Status status);
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

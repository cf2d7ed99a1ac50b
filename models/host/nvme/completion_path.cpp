// SPDX-License-Identifier: Apache-2.0
#include "host/nvme/completion_path.h"

#include <algorithm>
#include <bit>

namespace nandscape::host {

void CompletionPath::post(const Command& command) {
  const SubmissionQueue& sq = queues_.submission[command.queue];
  CompletionQueue& cq = queues_.completion[sq.completion_queue];
  nvme::CompletionEntry entry;
  entry.dw0 = static_cast<std::uint32_t>(command.result);
  entry.dw1 = static_cast<std::uint32_t>(command.result >> 32);
  entry.sq_head = static_cast<std::uint16_t>(sq.head);
  entry.sq_id = command.queue;
  entry.command_id = command.entry.command_id;
  // Do Not Retry: a failed command would fail again, unless the cause was a data transfer or an abort.
  const bool retry = command.status == nvme::Status::success || command.status == nvme::Status::data_transfer_error ||
                     command.status == nvme::Status::abort_requested;
  entry.status_phase = nvme::status_field(command.status, false, !retry);

  if (cq.has_room(calendar_.now())) [[likely]] {
    write_entry(cq, entry);
  } else {
    hold_back(cq, entry);
  }
}

void CompletionPath::write_entry(CompletionQueue& cq, nvme::CompletionEntry entry) {
  if (cq.phase) entry.status_phase |= 1;
  const std::uint64_t address = cq.base + std::uint64_t{cq.tail} * sizeof entry;
  cq.advance_tail();
  const bool interrupt_follows = cq.interrupts && interrupts_.sends_at_once(cq.vector);
  port_.write_inline(address, std::bit_cast<DmaPort::InlineBytes>(entry), sizeof entry, interrupt_follows);
  if (!cq.interrupts) return;
  if (interrupts_.by_line()) return look_at_line();
  interrupts_.raise(cq.vector);
}

void CompletionPath::look_at_line() {
  if (!interrupts_.by_line()) return;
  std::uint32_t vectors = 0;
  for (CompletionQueue& cq : queues_.completion) {
    if (!cq.exists || !cq.interrupts || cq.vector >= 32) continue;
    cq.apply_heads(calendar_.now());
    if (cq.head != cq.tail) vectors |= 1u << cq.vector;
  }
  interrupts_.set_waiting(vectors);
}

void CompletionPath::hold_back(CompletionQueue& cq, const nvme::CompletionEntry& entry) {
  cq.waiting.push_back(entry);
  ++health_.counters().completions_held_back;
  wake_with_next_head(cq);
}

void CompletionPath::wake_with_next_head(CompletionQueue& cq) {
  if (cq.waking || cq.next_head() == never) return;
  cq.waking = true;
  const auto id = static_cast<std::uint64_t>(&cq - queues_.completion.data());
  calendar_.schedule<&CompletionPath::look_for_room>(std::max(cq.next_head(), calendar_.now()), *this, id);
}

void CompletionPath::look_for_room(std::uint64_t queue) {
  CompletionQueue& cq = queues_.completion[queue];
  cq.waking = false;
  cq.apply_heads(calendar_.now());
  while (!cq.waiting.empty() && !cq.full()) {
    write_entry(cq, cq.waiting.front());
    cq.waiting.pop_front();
  }
  if (!cq.waiting.empty()) wake_with_next_head(cq);
}

void CompletionPath::head_doorbell(std::uint16_t queue, std::uint32_t value, Tick arrival) {
  CompletionQueue& cq = queues_.completion[queue];
  cq.note_head(calendar_.now(), arrival, value);
  if (!cq.waiting.empty()) wake_with_next_head(cq);
  if (interrupts_.by_line()) calendar_.schedule<&CompletionPath::look_at_line>(arrival, *this);
}

}  // namespace nandscape::host

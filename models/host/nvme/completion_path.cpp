// SPDX-License-Identifier: Apache-2.0
#include "host/nvme/completion_path.h"

#include <algorithm>

namespace nandscape::host {

void CompletionPath::write_without_interrupt(const CompletionQueue& cq, std::uint64_t address,
                                             DmaPort::InlineBytes entry) {
  dma_.write_inline(address, entry);
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

void CompletionPath::post_later(const Command& command, nvme::Status status) {
  CompletionQueue& cq = *command.submission_queue->completions;
  if (cq.find_room(calendar_.now())) return post(command, status);
  hold_back(cq, entry_of(command, status));
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

void CompletionPath::head_will_move(CompletionQueue& cq, std::uint32_t value, Tick arrival) {
  cq.apply_heads(calendar_.now());
  cq.head_writes.push({arrival, value});
  if (!cq.waiting.empty()) wake_with_next_head(cq);
  if (interrupts_.by_line()) calendar_.schedule<&CompletionPath::look_at_line>(arrival, *this);
}

}  // namespace nandscape::host

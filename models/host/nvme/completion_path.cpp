// SPDX-License-Identifier: Apache-2.0
#include "host/nvme/completion_path.h"

#include <algorithm>

namespace nandscape::host {

void CompletionPath::interrupt_later(const CompletionQueue& cq) {
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

void CompletionPath::head_will_move(CompletionQueue& cq, Tick arrival) {
  if (!cq.waiting.empty()) wake_with_next_head(cq);
  if (interrupts_.by_line()) calendar_.schedule<&CompletionPath::look_at_line>(arrival, *this);
}

}  // namespace nandscape::host

// SPDX-License-Identifier: Apache-2.0
#include "core/calendar.h"

#include <algorithm>

namespace nandscape {

namespace {

constexpr auto later = [](const auto& a, const auto& b) { return a.at != b.at ? a.at > b.at : a.order > b.order; };

}  // namespace

void Calendar::schedule_elsewhere(Tick at, Action action, void* target, std::uint64_t argument) {
  Event& event = free_ != nullptr ? *free_ : events_.emplace_back();
  if (&event == free_) free_ = event.next;
  fill(event, at, action, target, argument);
  const std::uint64_t slot = at >> slot_bits;
  if (slot - first_slot_ < slots) {
    put_into_wheel(slot, event);
  } else {
    put_beyond(slot, event);
  }
  if (!running() && driver_ != nullptr) driver_->wake(at);
}

// Inserts an event before the last event of its slot. Searches from the end of the list, so that only later events are
// passed, however many events have the same time as the new event.
void Calendar::put_before_last(Slot& slot, Event& event) {
  Event* next = slot.last;
  while (next != slot.first && next->previous->at > event.at) next = next->previous;
  event.next = next;
  if (next == slot.first) {
    slot.first = &event;
  } else {
    event.previous = next->previous;
    next->previous->next = &event;
  }
  next->previous = &event;
}

void Calendar::put_beyond(std::uint64_t slot, Event& event) {
  beyond_.push_back({event.at, beyond_order_++, &event});
  std::push_heap(beyond_.begin(), beyond_.end(), later);
  beyond_slot_ = std::min(beyond_slot_, slot);
}

// Moves the events whose slots have come within the wheel's range from the heap to the wheel. This happens before any
// later call of schedule() can put an event into these slots, so events at equal times stay in the order in which they
// were scheduled.
void Calendar::let_in() {
  do {
    put_into_wheel(beyond_slot_, *beyond_.front().event);
    std::pop_heap(beyond_.begin(), beyond_.end(), later);
    beyond_.pop_back();
    beyond_slot_ = beyond_.empty() ? nowhere : beyond_.front().at >> slot_bits;
  } while (beyond_slot_ - first_slot_ < slots);
}

// Turns to the next row that has events. Returns false if there is none, or if its first event does not run in this
// run. The wheel then stays where it is, since an earlier event may be scheduled before the next run.
bool Calendar::turn() {
  const std::uint64_t slot = slot_after_row();
  if (time_of_first(slot) >= end_) return false;
  first_slot_ = slot / row_slots * row_slots;
  row_ = &wheel_[first_slot_ % slots];
  occupied_ = &words_[first_slot_ / row_slots % rows];
  if (beyond_slot_ - first_slot_ < slots) let_in();
  return true;
}

// Returns the first slot after the current row that has events, or `nowhere`. The slot may be beyond the wheel.
std::uint64_t Calendar::slot_after_row() const {
  const std::uint64_t current = first_slot_ / row_slots % rows;
  for (std::uint64_t row = (current + 1) % rows; row != current; row = (row + 1) % rows) {
    if (words_[row] == 0) continue;
    const std::uint64_t rows_ahead = (row - current) % rows;
    return first_slot_ + rows_ahead * row_slots + static_cast<std::uint64_t>(std::countr_zero(words_[row]));
  }
  return beyond_slot_;
}

Tick Calendar::time_after_row() const { return time_of_first(slot_after_row()); }

// Returns the time of the first event of the slot, or `never` for `nowhere`.
Tick Calendar::time_of_first(std::uint64_t slot) const {
  if (slot == nowhere) return never;
  return slot - first_slot_ < slots ? wheel_[slot % slots].first->at : beyond_.front().at;
}

}  // namespace nandscape

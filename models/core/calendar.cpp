// SPDX-License-Identifier: Apache-2.0
#include "core/calendar.h"

#include <algorithm>
#include <bit>

namespace nandscape {

namespace {

constexpr auto later = [](const auto& a, const auto& b) { return a.at != b.at ? a.at > b.at : a.order > b.order; };

}  // namespace

void Calendar::schedule_elsewhere(Tick at, Action action, void* target, std::uint64_t argument) {
  Event& event = free_ != nullptr ? *free_ : events_.emplace_back();
  if (&event == free_) free_ = event.next;
  fill(event, at, action, target, argument);
  const std::uint64_t slot = at >> slot_bits;
  if (slot - current_slot_ < slots) {
    put_into_wheel(slot, event);
  } else {
    put_elsewhere(event);
  }
  if (!running_) wake_driver(at);
}

void Calendar::wake_driver(Tick at) {
  if (driver_ != nullptr) driver_->wake(at);
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

// Stores an event that lies outside the wheel's range. An event beyond the wheel goes to the heap. An event may also
// lie before the current slot, since the wheel may have turned ahead of now(). Such an event is put into the current
// slot.
void Calendar::put_elsewhere(Event& event) {
  const std::uint64_t slot = event.at >> slot_bits;
  if (slot < current_slot_) return put_into_wheel(current_slot_, event);
  beyond_.push_back({event.at, beyond_order_++, &event});
  std::push_heap(beyond_.begin(), beyond_.end(), later);
  beyond_slot_ = std::min(beyond_slot_, slot);
}

// Moves events from the heap to the wheel if their slots have come within the wheel's range. This happens before any
// later call of schedule() can put an event into these slots, so events at equal times stay in the order in which they
// were scheduled.
void Calendar::let_in() {
  while (beyond_slot_ - current_slot_ < slots) {
    put_into_wheel(beyond_slot_, *beyond_.front().event);
    std::pop_heap(beyond_.begin(), beyond_.end(), later);
    beyond_.pop_back();
    beyond_slot_ = beyond_.empty() ? nowhere : beyond_.front().at >> slot_bits;
  }
}

void Calendar::turn_to_next_slot() {
  const std::uint64_t index = current_slot_ % slots;
  std::uint64_t& word = occupied_[index / 64];
  word &= ~(std::uint64_t{1} << (index % 64));
  if (const std::uint64_t ahead = word >> (index % 64); ahead != 0) [[likely]] {
    current_slot_ += static_cast<std::uint64_t>(std::countr_zero(ahead));
  } else {
    look_further();
  }
  current_ = &wheel_[current_slot_ % slots];
  if (beyond_slot_ - current_slot_ < slots) let_in();
}

// Finds the next slot with events outside the current word of `occupied_`. The search examines the words after the
// current word and finally the current word again, whose lower bits are the last slots of the wheel. If the wheel is
// empty, it turns to the slot of the first event in the heap.
void Calendar::look_further() {
  const std::uint64_t index = current_slot_ % slots;
  for (std::uint64_t k = 1; k <= occupied_.size(); ++k) {
    const std::uint64_t word = occupied_[(index / 64 + k) % occupied_.size()];
    if (word == 0) continue;
    current_slot_ += k * 64 - index % 64 + static_cast<std::uint64_t>(std::countr_zero(word));
    return;
  }
  current_slot_ = beyond_slot_;
}

}  // namespace nandscape

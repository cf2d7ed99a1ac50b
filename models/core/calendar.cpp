// SPDX-License-Identifier: Apache-2.0
#include "core/calendar.h"

#include <algorithm>
#include <utility>

namespace nandscape {

namespace {

constexpr auto later = [](const auto& a, const auto& b) { return a.at != b.at ? a.at > b.at : a.order > b.order; };

}  // namespace

// Stores an event that lies in the far rows.
inline void Calendar::put_far(std::uint64_t slot, Event& event) {
  const std::uint64_t index = slot / row_slots % far_rows;
  Slot& far = far_[index];
  if (far.first == nullptr) {
    far.first = &event;
    far_words_[index / 64] |= std::uint64_t{1} << (index % 64);
  } else {
    far.last->next = &event;
  }
  event.next = nullptr;
  far.last = &event;
  entry_ = std::min(entry_, entry_of_far(slot));
}

void Calendar::schedule_elsewhere(Tick at, Action action, void* target, std::uint64_t argument) {
  const std::uint64_t slot = at >> slot_bits;
  const bool far = free_ != nullptr && running() && slot - first_slot_ >= slots && slot - first_slot_ < far_slots;
  if (!far) [[unlikely]]
    return schedule_rarely(at, action, target, argument);
  put_far(slot, take(at, action, target, argument));
}

void Calendar::schedule_rarely(Tick at, Action action, void* target, std::uint64_t argument) {
  if (free_ == nullptr) free_ = &events_.emplace_back();
  Event& event = take(at, action, target, argument);
  const std::uint64_t slot = at >> slot_bits;
  if (slot - first_slot_ < slots) {
    put_into_wheel(slot, event);
  } else if (slot - first_slot_ < far_slots) {
    put_far(slot, event);
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

// Stores an event that lies after the far rows.
void Calendar::put_beyond(std::uint64_t slot, Event& event) {
  beyond_.push_back({event.at, beyond_order_++, &event});
  std::push_heap(beyond_.begin(), beyond_.end(), later);
  beyond_slot_ = std::min(beyond_slot_, slot);
  entry_ = std::min(entry_, slot - far_slots + 1);
}

// Returns the first slot after the current row that has events, or `nowhere` if there is none.
inline std::uint64_t Calendar::slot_after_row() const {
  const std::uint64_t current = first_slot_ / row_slots % rows;
  for (std::uint64_t row = (current + 1) % rows; row != current; row = (row + 1) % rows) {
    if (words_[row] == 0) continue;
    const std::uint64_t rows_ahead = (row - current) % rows;
    return first_slot_ + rows_ahead * row_slots + static_cast<std::uint64_t>(std::countr_zero(words_[row]));
  }
  return slot_after_wheel();
}

// Returns the time of the first event in a slot that slot_after_row() has returned, or `never` for `nowhere`.
inline Tick Calendar::time_of_first(std::uint64_t slot) const {
  return slot - first_slot_ < slots ? wheel_[slot % slots].first->at : time_after_wheel(slot);
}

// Returns the first slot of the next far row that has events, or `nowhere` if there is none. The search begins at the
// current row, since no far row with events lies before it. It also ends there: the lower bits of the first word are
// the last of the far rows.
std::uint64_t Calendar::far_slot() const {
  const std::uint64_t row = first_slot_ / row_slots;
  for (std::uint64_t k = 0; k <= far_words_.size(); ++k) {
    const std::uint64_t first = row / 64 * 64 + k * 64;
    std::uint64_t word = far_words_[first / 64 % far_words_.size()];
    if (k == 0) word &= ~std::uint64_t{0} << (row % 64);
    if (word != 0) return (first + static_cast<std::uint64_t>(std::countr_zero(word))) * row_slots;
  }
  return nowhere;
}

// Returns the first slot of the next far row that has events. If there is none, returns the slot of the first event in
// the heap, or `nowhere`.
std::uint64_t Calendar::slot_after_wheel() const { return std::min(far_slot(), beyond_slot_); }

Tick Calendar::time_after_wheel(std::uint64_t slot) const {
  if (slot - first_slot_ >= far_slots) return slot == nowhere ? never : beyond_.front().at;
  Tick at = never;
  for (const Event* e = far_[slot / row_slots % far_rows].first; e != nullptr; e = e->next) at = std::min(at, e->at);
  return at;
}

Tick Calendar::time_after_row() const { return time_of_first(slot_after_row()); }

// Turns to the next row that has events. Returns false if there is none, or if its first event does not run in this
// run. The wheel then stays where it is, since an earlier event may be scheduled before the next run.
bool Calendar::turn() {
  const std::uint64_t slot = slot_after_row();
  if (time_of_first(slot) >= end_) return false;
  first_slot_ = slot / row_slots * row_slots;
  row_ = &wheel_[first_slot_ % slots];
  occupied_ = &words_[first_slot_ / row_slots % rows];
  if (first_slot_ >= entry_) [[unlikely]]
    let_in();
  return true;
}

// Moves the events that have come within the range of the wheel to the wheel, and those of the heap that have come
// within the range of the far rows to these.
//
// Events enter the wheel, or the far rows, before any later call of schedule() can put an event into the same row. So
// events at equal times stay in the order in which they were scheduled.
void Calendar::let_in() {
  std::uint64_t far = far_slot();
  while (far - first_slot_ < slots) {
    let_in(far / row_slots % far_rows);
    far = far_slot();
  }
  entry_ = far == nowhere ? nowhere : entry_of_far(far);
  while (beyond_slot_ - first_slot_ < far_slots) let_in_from_heap();
  if (beyond_slot_ != nowhere) entry_ = std::min(entry_, beyond_slot_ - far_slots + 1);
}

// Moves the events of a far row, which has the index `index`, to the wheel.
void Calendar::let_in(std::uint64_t index) {
  far_words_[index / 64] &= ~(std::uint64_t{1} << (index % 64));
  for (Event* event = std::exchange(far_[index].first, nullptr); event != nullptr;) {
    Event* const next = event->next;
    put_into_wheel(event->at >> slot_bits, *event);
    event = next;
  }
}

// Moves the first event of the heap, which has come within the range of the wheel or of the far rows, to these.
void Calendar::let_in_from_heap() {
  Event& event = *beyond_.front().event;
  if (beyond_slot_ - first_slot_ < slots) {
    put_into_wheel(beyond_slot_, event);
  } else {
    put_far(beyond_slot_, event);
  }
  std::pop_heap(beyond_.begin(), beyond_.end(), later);
  beyond_.pop_back();
  beyond_slot_ = beyond_.empty() ? nowhere : beyond_.front().at >> slot_bits;
}

}  // namespace nandscape

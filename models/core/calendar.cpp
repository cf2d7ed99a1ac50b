// SPDX-License-Identifier: Apache-2.0
#include "core/calendar.h"

#include <algorithm>
#include <bit>

namespace nandscape {

namespace {

constexpr auto later = [](const auto& a, const auto& b) {
  return a.event.at != b.event.at ? a.event.at > b.event.at : a.order > b.order;
};

}  // namespace

void Calendar::put_into_current(const Event& event) {
  // Almost always behind everything that is left.
  auto place = current_.end();
  while (place != current_.begin() + static_cast<std::ptrdiff_t>(head_) && (place - 1)->at > event.at) --place;
  current_.insert(place, event);
}

void Calendar::put_beyond(const Event& event) {
  beyond_.push_back({event, beyond_order_++});
  std::push_heap(beyond_.begin(), beyond_.end(), later);
}

// Events that the wheel now reaches. They were scheduled before any event that went to their slot directly.
void Calendar::let_in() {
  while (!beyond_.empty() && (beyond_.front().event.at >> slot_bits) - (current_slot_ + 1) < slots) {
    put_into_wheel(beyond_.front().event.at >> slot_bits, beyond_.front().event);
    std::pop_heap(beyond_.begin(), beyond_.end(), later);
    beyond_.pop_back();
  }
}

std::uint64_t Calendar::next_occupied_slot() const {
  const std::uint64_t start = current_slot_ + 1;
  // The word that holds `start` is looked at twice: from there on, and, last, from its beginning.
  for (std::uint64_t k = 0; k <= occupied_.size(); ++k) {
    const std::uint64_t word_index = (start / 64 + k) % occupied_.size();
    std::uint64_t word = occupied_[word_index];
    if (k == 0) word &= ~std::uint64_t{0} << (start % 64);
    if (word == 0) continue;
    const std::uint64_t index = word_index * 64 + static_cast<std::uint64_t>(std::countr_zero(word));
    return start + (index - start) % slots;
  }
  return current_slot_;
}

void Calendar::sort_current() {
  // Slots hold a handful of events as a rule, which std::stable_sort would allocate a buffer for.
  constexpr std::size_t handful = 32;
  if (current_.size() > handful) {
    std::stable_sort(current_.begin(), current_.end(), [](const Event& a, const Event& b) { return a.at < b.at; });
    return;
  }
  for (std::size_t k = 1; k < current_.size(); ++k) {
    const Event event = current_[k];
    std::size_t place = k;
    for (; place != 0 && current_[place - 1].at > event.at; --place) current_[place] = current_[place - 1];
    current_[place] = event;
  }
}

void Calendar::turn_to_next_slot() {
  current_.clear();
  head_ = 0;
  const std::uint64_t next = next_occupied_slot();
  if (next == current_slot_) {
    // Nothing in the wheel: turn it to the first event beyond.
    current_slot_ = (beyond_.front().event.at >> slot_bits) - 1;
    let_in();
    turn_to_next_slot();
    return;
  }
  Slot& slot = wheel_[next % slots];
  bool in_order = true;
  Tick latest = 0;
  for (std::uint32_t number = slot.first; number != none; number = nodes_[number].next) {
    const Event& event = nodes_[number].event;
    in_order &= event.at >= latest;
    latest = event.at;
    current_.push_back(event);
  }
  // The nodes go back together.
  nodes_[slot.last].next = free_node_;
  free_node_ = slot.first;
  slot = Slot();
  occupied_[next % slots / 64] &= ~(std::uint64_t{1} << (next % 64));
  current_slot_ = next;
  if (!beyond_.empty()) let_in();
  if (!in_order) sort_current();
}

}  // namespace nandscape

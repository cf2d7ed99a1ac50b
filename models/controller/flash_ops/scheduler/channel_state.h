// SPDX-License-Identifier: Apache-2.0
// The scheduler's view of a channel: what occupies its bus, and which of its dies could take a command.
#pragma once

#include <bit>
#include <cstdint>
#include <vector>

#include "core/ids.h"

namespace nandscape::controller {

class DieScheduler;

// A set of dies of one channel, from which dies are selected in round-robin order.
class DieSet {
 public:
  explicit DieSet(std::uint32_t dies) : words_((dies + 63) / 64) {}

  // insert() adds a die, which must not be in the set. erase() removes a die, which must be in the set.
  void insert(DieInChannel die) {
    words_[die.value / 64] |= std::uint64_t{1} << (die.value % 64);
    ++members_;
  }
  void erase(DieInChannel die) {
    words_[die.value / 64] &= ~(std::uint64_t{1} << (die.value % 64));
    --members_;
  }

  bool empty() const { return members_ == 0; }

  // Returns the first die of the set after `die`. The search continues with die 0 after the last die. Returns an
  // invalid die if the set is empty.
  DieInChannel next(DieInChannel die) const {
    if (empty()) return {};
    // The search begins with the bits after `die` in their word. It may return to this word at the end, and then
    // examines all of its bits.
    std::uint32_t index = die.value / 64;
    std::uint64_t word = words_[index] & (~std::uint64_t{1} << (die.value % 64));
    while (word == 0) {
      if (++index == words_.size()) index = 0;
      word = words_[index];
    }
    return DieInChannel(index * 64 + static_cast<std::uint32_t>(std::countr_zero(word)));
  }

 private:
  std::vector<std::uint64_t> words_;  // one bit per die
  std::uint32_t members_ = 0;
};

struct alignas(64) ChannelState {
  explicit ChannelState(std::uint32_t die_count) : ready(die_count), cacheable(die_count) {}

  bool any_waits() const { return sending != nullptr || !ready.empty() || !cacheable.empty(); }

  // Why the channel may not be free for the next command, as a set of flags.
  static constexpr std::uint8_t requesting = 1;
  static constexpr std::uint8_t responding = 2;
  static constexpr std::uint8_t dispatching = 4;  // FlashScheduler::send_all() is running; prevents recursive calls
  static constexpr std::uint8_t holding = 8;      // commands wait for FlashScheduler::send_held()

  std::uint8_t taken = 0;
  DieInChannel last_served{0};
  DieScheduler* dies = nullptr;  // the channel's dies
  // The die to which an operation is being sent, if planes of this operation remain; else null.
  DieScheduler* sending = nullptr;
  DieSet ready;      // the dies for which DieScheduler::ready is set
  DieSet cacheable;  // the dies for which DieScheduler::cacheable is set
};

}  // namespace nandscape::controller

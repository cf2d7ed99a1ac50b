// SPDX-License-Identifier: Apache-2.0
// The scheduler's view of a channel: what occupies its bus, and which of its dies could take a command.
#pragma once

#include <bit>
#include <cstdint>
#include <memory>

#include "core/ids.h"

namespace nandscape::controller {

class DieScheduler;
class FlashOp;

// A set of dies of one channel, from which dies are selected in round-robin order.
class DieSet {
 public:
  explicit DieSet(std::uint32_t dies)
      : words_((dies + 63) / 64), others_(words_ == 1 ? nullptr : std::make_unique<std::uint64_t[]>(words_ - 1)) {}

  // insert() adds a die, which must not be in the set. erase() removes a die, which must be in the set.
  void insert(DieInChannel die) {
    word(die.value / 64) |= std::uint64_t{1} << (die.value % 64);
    ++members_;
  }
  void erase(DieInChannel die) {
    word(die.value / 64) &= ~(std::uint64_t{1} << (die.value % 64));
    --members_;
  }

  bool empty() const { return members_ == 0; }

  // Returns the first die of the set after `die`. The search continues with die 0 after the last die. Returns an
  // invalid die if the set is empty.
  DieInChannel next(DieInChannel die) const {
    if (empty()) return {};
    if (words_ > 1) [[unlikely]]
      return next_in_words(die);
    const std::uint32_t first = die.value + 1;
    const int behind = std::countr_zero(std::rotr(first_, static_cast<int>(first)));
    return DieInChannel((first + static_cast<std::uint32_t>(behind)) % 64);
  }

 private:
  // next() for a set of more than 64 dies.
  DieInChannel next_in_words(DieInChannel die) const {
    // The search begins with the bits after `die` in their word. It may return to this word at the end, and then
    // examines all of its bits.
    std::uint32_t index = die.value / 64;
    std::uint64_t members = word(index) & (~std::uint64_t{1} << (die.value % 64));
    while (members == 0) {
      if (++index == words_) index = 0;
      members = word(index);
    }
    return DieInChannel(index * 64 + static_cast<std::uint32_t>(std::countr_zero(members)));
  }
  // Returns the word that holds one bit for each of the dies 64 `index` to 64 `index` + 63.
  std::uint64_t& word(std::uint32_t index) { return index == 0 ? first_ : others_[index - 1]; }
  const std::uint64_t& word(std::uint32_t index) const { return index == 0 ? first_ : others_[index - 1]; }

  std::uint32_t members_ = 0;
  std::uint32_t words_;
  std::uint64_t first_ = 0;  // most channels need only this word
  std::unique_ptr<std::uint64_t[]> others_;
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
  // The next op of the operation that is being sent, or null if all of its ops have been sent.
  FlashOp* sending = nullptr;
  DieSet ready;      // the dies for which DieScheduler::ready is set
  DieSet cacheable;  // the dies for which DieScheduler::cacheable is set
};

}  // namespace nandscape::controller

// SPDX-License-Identifier: Apache-2.0
// A multiset of 64-bit keys. Every operation takes constant time on average, whatever the number of keys. The
// implementation uses open addressing with linear probing in a single array. The array grows to the size that a run
// needs, and nothing is allocated from then on.
#pragma once

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "core/random.h"

namespace nandscape {

class KeyCounts {
 public:
  bool contains(std::uint64_t key) const { return slots_[place(key)].count != 0; }

  void add(std::uint64_t key) {
    if (2 * used_ >= slots_.size()) [[unlikely]]
      grow();
    Slot& slot = slots_[place(key)];
    used_ += slot.count == 0;
    slot.key = key;
    ++slot.count;
  }

  // Removes one occurrence of `key`, which must be in the set.
  void remove(std::uint64_t key) {
    std::size_t hole = place(key);
    if (--slots_[hole].count != 0) return;
    --used_;
    // A lookup stops at an empty slot. A later key is therefore moved into the hole if its probe sequence passes
    // through the hole.
    for (std::size_t next = (hole + 1) & mask(); slots_[next].count != 0; next = (next + 1) & mask()) {
      const std::size_t home = home_of(slots_[next].key);
      if (((next - home) & mask()) < ((next - hole) & mask())) continue;
      slots_[hole] = std::exchange(slots_[next], Slot());
      hole = next;
    }
  }

 private:
  struct Slot {
    std::uint64_t key = 0;
    std::uint32_t count = 0;  // 0 if the slot is empty
  };

  std::size_t mask() const { return slots_.size() - 1; }
  std::size_t home_of(std::uint64_t key) const { return mix64(key) & mask(); }
  // Returns the slot of the key, or the empty slot in which the key would be stored.
  std::size_t place(std::uint64_t key) const {
    std::size_t slot = home_of(key);
    while (slots_[slot].count != 0 && slots_[slot].key != key) slot = (slot + 1) & mask();
    return slot;
  }

  // Not inline, so that add() stays small at the places where it is inlined.
  [[gnu::noinline]] void grow() {
    const std::vector<Slot> before = std::exchange(slots_, std::vector<Slot>(slots_.size() * 2));
    for (const Slot& slot : before) {
      if (slot.count != 0) slots_[place(slot.key)] = slot;
    }
  }

  std::vector<Slot> slots_ = std::vector<Slot>(64);  // the size is a power of two
  std::size_t used_ = 0;
};

}  // namespace nandscape

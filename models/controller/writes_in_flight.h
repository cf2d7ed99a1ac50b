// SPDX-License-Identifier: Apache-2.0
// Writes to one logical page go one after the other, so that none is lost when a part of a page is merged with what the
// page held before. This table finds the write that a page's next one has to wait for.
#pragma once

#include <array>

#include "controller/scheduler/flash_transaction.h"
#include "core/random.h"

namespace nandscape {

class WritesInFlight {
 public:
  FlashTransaction* find(Lpn lpn) const {
    for (FlashTransaction* write = chain(lpn); write != nullptr; write = write->next_in_flight) {
      if (write->lpn == lpn) return write;
    }
    return nullptr;
  }

  // Any write to the pages [first, first + count).
  FlashTransaction* find(Lpn first, std::uint64_t count) const {
    if (size_ == 0) return nullptr;
    for (FlashTransaction* write : chains_) {
      for (; write != nullptr; write = write->next_in_flight) {
        if (write->lpn.value - first.value < count) return write;
      }
    }
    return nullptr;
  }

  void insert(FlashTransaction& write) {
    FlashTransaction*& head = chain(write.lpn);
    write.next_in_flight = head;
    head = &write;
    ++size_;
  }

  void erase(FlashTransaction& write) {
    FlashTransaction** link = &chain(write.lpn);
    while (*link != &write) link = &(*link)->next_in_flight;
    *link = write.next_in_flight;
    --size_;
  }

  bool empty() const { return size_ == 0; }

 private:
  static constexpr std::size_t chains = 1024;

  FlashTransaction*& chain(Lpn lpn) { return chains_[mix64(lpn.value) % chains]; }
  FlashTransaction* chain(Lpn lpn) const { return chains_[mix64(lpn.value) % chains]; }

  std::array<FlashTransaction*, chains> chains_{};
  std::size_t size_ = 0;
};

}  // namespace nandscape

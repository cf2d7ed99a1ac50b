// SPDX-License-Identifier: Apache-2.0
// Writes to one logical page go one after the other, so that none is lost when a part of it is merged with what it held
// before. This table finds the write that a page's next one has to wait for.
#pragma once

#include <array>

#include "controller/writing/unit_write.h"
#include "core/random.h"

namespace nandscape::controller {

class WritesInFlight {
 public:
  UnitWrite* find(Lpn lpn) const {
    for (UnitWrite* write = chain(lpn); write != nullptr; write = write->next_in_flight) {
      if (write->lpn == lpn) return write;
    }
    return nullptr;
  }

  // Any write to the pages [first, first + count).
  UnitWrite* find(Lpn first, std::uint64_t count) const {
    if (size_ == 0) return nullptr;
    for (UnitWrite* write : chains_) {
      for (; write != nullptr; write = write->next_in_flight) {
        if (write->lpn.value - first.value < count) return write;
      }
    }
    return nullptr;
  }

  void insert(UnitWrite& write) {
    UnitWrite*& head = chain(write.lpn);
    write.next_in_flight = head;
    head = &write;
    ++size_;
  }

  // Returns whether the table had it.
  bool erase(UnitWrite& write) {
    UnitWrite** link = &chain(write.lpn);
    while (*link != nullptr && *link != &write) link = &(*link)->next_in_flight;
    if (*link == nullptr) return false;
    *link = write.next_in_flight;
    --size_;
    return true;
  }

  template <class Visit>
  void for_each(Visit visit) const {
    if (size_ == 0) return;
    for (UnitWrite* write : chains_) {
      for (; write != nullptr; write = write->next_in_flight) visit(*write);
    }
  }

  bool empty() const { return size_ == 0; }

 private:
  static constexpr std::size_t chains = 1024;

  UnitWrite*& chain(Lpn lpn) { return chains_[mix64(lpn.value) % chains]; }
  UnitWrite* chain(Lpn lpn) const { return chains_[mix64(lpn.value) % chains]; }

  std::array<UnitWrite*, chains> chains_{};
  std::size_t size_ = 0;
};

}  // namespace nandscape::controller

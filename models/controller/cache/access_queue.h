// SPDX-License-Identifier: Apache-2.0
// Accesses that wait for something, first in first out, linked through PageAccess::next.
#pragma once

#include <utility>

#include "protocol/storage.h"

namespace nandscape {

class AccessQueue {
 public:
  bool empty() const { return first_ == nullptr; }

  void push(PageAccess& access) {
    access.next = nullptr;
    (first_ == nullptr ? first_ : last_->next) = &access;
    last_ = &access;
  }

  PageAccess& pop() {
    PageAccess& access = *first_;
    first_ = std::exchange(access.next, nullptr);
    return access;
  }

  // Leaves the queue empty, so that what is done with the accesses may fill it again.
  AccessQueue take() { return std::exchange(*this, AccessQueue()); }

 private:
  PageAccess* first_ = nullptr;
  PageAccess* last_ = nullptr;
};

}  // namespace nandscape

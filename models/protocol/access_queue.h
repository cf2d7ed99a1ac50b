// SPDX-License-Identifier: Apache-2.0
// A FIFO queue of waiting accesses, linked through PageAccess::next.
#pragma once

#include <utility>

#include "protocol/access_range.h"

namespace nandscape {

class AccessQueue {
 public:
  bool empty() const { return first_ == nullptr; }
  const PageAccess& front() const { return *first_; }

  void push(PageAccess& access) {
    access.next = nullptr;
    (first_ == nullptr ? first_ : last_->next) = &access;
    last_ = &access;
  }

  // Inserts the accesses of `others` in front of the accesses of this queue.
  void prepend(AccessQueue others) {
    if (others.empty()) return;
    others.last_->next = first_;
    if (empty()) last_ = others.last_;
    first_ = others.first_;
  }

  PageAccess& pop() {
    PageAccess& access = *first_;
    first_ = std::exchange(access.next, nullptr);
    return access;
  }

  // Returns true if the predicate is true for at least one access.
  template <class Predicate>
  bool any(Predicate predicate) const {
    for (const PageAccess* access = first_; access != nullptr; access = access->next) {
      if (predicate(*access)) return true;
    }
    return false;
  }

  template <class Visit>
  void for_each(Visit visit) const {
    for (const PageAccess* access = first_; access != nullptr; access = access->next) visit(*access);
  }

  // Returns all accesses and empties the queue, so that the caller may push to it while it handles them.
  AccessQueue take() { return std::exchange(*this, AccessQueue()); }

 private:
  PageAccess* first_ = nullptr;
  PageAccess* last_ = nullptr;
};

}  // namespace nandscape

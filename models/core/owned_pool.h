// SPDX-License-Identifier: Apache-2.0
// Objects of one owner that are made once and used again, each time as new.
#pragma once

#include <deque>
#include <memory>
#include <vector>

namespace nandscape {

// T(Owner&) makes one.
template <class T, class Owner>
class OwnedPool {
 public:
  explicit OwnedPool(Owner& owner) : owner_(owner) {}

  T& acquire() {
    if (free_.empty()) return all_.emplace_back(owner_);
    T& object = *free_.back();
    free_.pop_back();
    std::destroy_at(&object);
    return *std::construct_at(&object, owner_);
  }

  void release(T& object) { free_.push_back(&object); }

 private:
  Owner& owner_;
  std::deque<T> all_;
  std::vector<T*> free_;
};

}  // namespace nandscape

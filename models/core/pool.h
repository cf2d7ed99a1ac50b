// SPDX-License-Identifier: Apache-2.0
// Objects that are made once and used again; T::reset() makes one as good as new.
#pragma once

#include <deque>
#include <vector>

namespace nandscape {

template <class T>
class Pool {
 public:
  T& acquire() {
    if (free_.empty()) return all_.emplace_back();
    T& object = *free_.back();
    free_.pop_back();
    object.reset();
    return object;
  }

  void release(T& object) { free_.push_back(&object); }

  std::size_t in_use() const { return all_.size() - free_.size(); }

 private:
  std::deque<T> all_;
  std::vector<T*> free_;
};

}  // namespace nandscape

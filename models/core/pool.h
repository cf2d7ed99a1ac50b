// SPDX-License-Identifier: Apache-2.0
// A pool of objects. Memory is reused, but acquire() constructs a new object each time.
#pragma once

#include <cstddef>
#include <deque>
#include <memory>
#include <vector>

namespace nandscape {

template <class T>
class Pool {
 public:
  template <class... Arguments>
  T& acquire(Arguments&... arguments) {
    if (free_.empty()) return all_.emplace_back(arguments...);
    T& object = *free_.back();
    free_.pop_back();
    std::destroy_at(&object);
    return *std::construct_at(&object, arguments...);
  }

  void release(T& object) { free_.push_back(&object); }

  std::size_t in_use() const { return all_.size() - free_.size(); }

 private:
  std::deque<T> all_;
  std::vector<T*> free_;
};

}  // namespace nandscape

// SPDX-License-Identifier: Apache-2.0
// A hash table of objects, keyed by their member `lpn`, the logical page. The objects of a hash chain are linked
// through a member of the objects, given as the template argument `next`. The table doubles its size when it is full,
// so after the first part of a run it allocates no more memory.
#pragma once

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "core/ids.h"
#include "core/random.h"

namespace nandscape::controller {

template <class T, T* T::*next>
class LpnTable {
 public:
  bool empty() const { return size_ == 0; }
  std::size_t size() const { return size_; }

  T* find(Lpn lpn) const {
    T* object = chain(lpn);
    while (object != nullptr && object->lpn != lpn) object = object->*next;
    return object;
  }

  // Calls visit(object) for each object whose page is in [first, first + count), and stops when visit returns true.
  // Returns whether visit returned true. If the range has fewer pages than the table has chains, each page is looked
  // up; otherwise all objects are scanned.
  template <class Visit>
  bool any(Lpn first, std::uint64_t count, Visit visit) const {
    if (size_ == 0) return false;
    if (count < chains_.size()) {
      for (std::uint64_t k = 0; k < count; ++k) {
        T* const object = find(Lpn(first.value + k));
        if (object != nullptr && visit(*object)) return true;
      }
      return false;
    }
    for (T* object : chains_) {
      for (; object != nullptr; object = object->*next) {
        if (object->lpn.value - first.value < count && visit(*object)) return true;
      }
    }
    return false;
  }
  template <class Visit>
  void for_each(Visit visit) const {
    if (size_ == 0) return;
    for (T* object : chains_) {
      for (; object != nullptr; object = object->*next) visit(*object);
    }
  }

  // Adds the object. The table must not already contain an object with the same page.
  void insert(T& object) {
    if (size_ == chains_.size()) [[unlikely]]
      grow();
    object.*next = std::exchange(chain(object.lpn), &object);
    ++size_;
  }
  // Removes the object. Returns false if the table did not contain the object.
  bool erase(T& object) {
    T** link = &chain(object.lpn);
    while (*link != nullptr && *link != &object) link = &((*link)->*next);
    if (*link == nullptr) return false;
    *link = object.*next;
    --size_;
    return true;
  }

 private:
  T*& chain(Lpn lpn) { return chains_[mix64(lpn.value) & (chains_.size() - 1)]; }
  T* chain(Lpn lpn) const { return chains_[mix64(lpn.value) & (chains_.size() - 1)]; }

  // Kept out of line so that insert() stays small where it is inlined.
  [[gnu::noinline]] void grow() {
    for (T* object : std::exchange(chains_, std::vector<T*>(2 * chains_.size()))) {
      while (object != nullptr) {
        T& moved = *std::exchange(object, object->*next);
        moved.*next = std::exchange(chain(moved.lpn), &moved);
      }
    }
  }

  std::vector<T*> chains_ = std::vector<T*>(1024);  // their number is a power of two
  std::size_t size_ = 0;
};

}  // namespace nandscape::controller

// SPDX-License-Identifier: Apache-2.0
// A queue in a single array. The array grows to the size that a run needs, and nothing is allocated from then on.
// Elements can be accessed by number, counted from the first element that was ever pushed.
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

namespace nandscape {

template <class T>
class Ring {
 public:
  bool empty() const { return first_ == next_; }
  std::size_t size() const { return next_ - first_; }
  std::uint64_t next_number() const { return next_; }

  T& operator[](std::uint64_t number) { return items_[number & mask_]; }
  T& front() { return items_[first_ & mask_]; }
  const T& front() const { return items_[first_ & mask_]; }

  // Appends an element. One place of the array always stays free, so the array grows after the element is stored and
  // push() ends with the call of grow().
  void push(const T& item) {
    items_[next_ & mask_] = item;
    ++next_;
    if (size() > mask_) [[unlikely]]
      grow();
  }
  // Appends an element and returns it. It holds the value of an earlier element.
  T& append() {
    if (size() == mask_) [[unlikely]]
      grow();
    return items_[next_++ & mask_];
  }
  void pop() { ++first_; }
  void clear() { first_ = next_; }

 private:
  // Not inline, so that push() stays small at the places where it is inlined.
  [[gnu::noinline]] void grow() {
    std::vector<T> larger(items_.size() * 2);
    for (std::uint64_t k = first_; k < next_; ++k) larger[k & (larger.size() - 1)] = (*this)[k];
    items_ = std::move(larger);
    mask_ = items_.size() - 1;
  }

  std::vector<T> items_ = std::vector<T>(16);  // the size is a power of two
  std::uint64_t mask_ = items_.size() - 1;
  std::uint64_t first_ = 0;
  std::uint64_t next_ = 0;
};

}  // namespace nandscape

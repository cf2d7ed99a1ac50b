// SPDX-License-Identifier: Apache-2.0
// Vectors whose first element is at the beginning of a cache line, so that no aligned 64-byte access touches two cache
// lines.
#pragma once

#include <cstddef>
#include <new>
#include <vector>

namespace nandscape::ecc {

template <class T>
struct CacheLineAllocator {
  using value_type = T;
  static constexpr std::align_val_t alignment{64};

  CacheLineAllocator() = default;
  template <class U>
  CacheLineAllocator(const CacheLineAllocator<U>&) {}

  T* allocate(std::size_t count) { return static_cast<T*>(::operator new(count * sizeof(T), alignment)); }
  void deallocate(T* values, std::size_t) { ::operator delete(values, alignment); }

  bool operator==(const CacheLineAllocator&) const = default;
};

template <class T>
using CacheLineVector = std::vector<T, CacheLineAllocator<T>>;

}  // namespace nandscape::ecc

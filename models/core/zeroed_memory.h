// SPDX-License-Identifier: Apache-2.0
// Memory that is full of zeroes at first. Only its addresses are reserved: the operating system fills a page of it with
// zeroes, and takes physical memory for it, at the first access to the page. calloc() would write to a part of it.
#pragma once

#include <cstddef>
#include <utility>

namespace nandscape {

class ZeroedMemory {
 public:
  // Constructs an empty memory, without addresses.
  ZeroedMemory() = default;
  // Throws std::bad_alloc if the address space has no room left.
  explicit ZeroedMemory(std::size_t bytes);
  ZeroedMemory(ZeroedMemory&& from) noexcept { *this = std::move(from); }
  ZeroedMemory& operator=(ZeroedMemory&& from) noexcept {
    std::swap(data_, from.data_);
    std::swap(size_, from.size_);
    return *this;
  }
  ~ZeroedMemory();

  std::byte* data() const { return data_; }
  std::size_t size() const { return size_; }
  // Fills a range with zeroes. Pages that are inside the range as a whole are given back to the operating system.
  void clear(std::size_t first, std::size_t bytes);

 private:
  std::byte* data_ = nullptr;
  std::size_t size_ = 0;
};

}  // namespace nandscape

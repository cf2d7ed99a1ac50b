// SPDX-License-Identifier: Apache-2.0
#include "core/zeroed_memory.h"

#include <sys/mman.h>
#include <unistd.h>

#include <cstring>
#include <new>

namespace nandscape {

// Huge pages are refused, because a table of which few entries are used would take much more memory with them.
ZeroedMemory::ZeroedMemory(std::size_t bytes) : size_(bytes) {
  constexpr int flags = MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE;
  void* const mapped = ::mmap(nullptr, bytes, PROT_READ | PROT_WRITE, flags, -1, 0);
  if (mapped == MAP_FAILED) throw std::bad_alloc();
  ::madvise(mapped, bytes, MADV_NOHUGEPAGE);
  data_ = static_cast<std::byte*>(mapped);
}

ZeroedMemory::~ZeroedMemory() {
  if (data_ != nullptr) ::munmap(data_, size_);
}

void ZeroedMemory::clear(std::size_t first, std::size_t bytes) {
  const auto page = static_cast<std::size_t>(::sysconf(_SC_PAGESIZE));
  const std::size_t end = first + bytes;
  const std::size_t first_page = (first + page - 1) / page * page, end_page = end / page * page;
  if (first_page >= end_page || ::madvise(data_ + first_page, end_page - first_page, MADV_DONTNEED) != 0) {
    std::memset(data_ + first, 0, bytes);
    return;
  }
  std::memset(data_ + first, 0, first_page - first);
  std::memset(data_ + end_page, 0, end - end_page);
}

}  // namespace nandscape

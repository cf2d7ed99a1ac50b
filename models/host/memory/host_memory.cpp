// SPDX-License-Identifier: Apache-2.0
#include "host/memory/host_memory.h"

#include <algorithm>
#include <cassert>
#include <cstring>
#include <new>

namespace nandscape::host {
namespace {

// A PC maps devices and interrupts below 4 GiB (the MMIO hole). If the memory is larger than 4 GiB, reserved ranges
// begin above this hole.
constexpr std::uint64_t low_memory_end = std::uint64_t{4} << 30;

}  // namespace

HostMemory::HostMemory(std::uint64_t bytes)
    : chunks_((bytes + chunk_bytes - 1) / chunk_bytes), reserved_(size() > low_memory_end ? low_memory_end : 0) {}

std::span<std::byte> HostMemory::at(std::uint64_t address) {
  assert(address < size());
  ZeroedMemory& chunk = chunks_[address / chunk_bytes];
  if (chunk.data() == nullptr) chunk = ZeroedMemory(chunk_bytes);
  const std::uint64_t offset = address % chunk_bytes;
  return {chunk.data() + offset, chunk_bytes - offset};
}

void HostMemory::read(std::uint64_t address, std::span<std::byte> into) {
  while (!into.empty()) {
    const auto part = at(address);
    const std::size_t count = std::min(part.size(), into.size());
    std::memcpy(into.data(), part.data(), count);
    address += count;
    into = into.subspan(count);
  }
}

void HostMemory::write(std::uint64_t address, std::span<const std::byte> from) {
  while (!from.empty()) {
    const auto part = at(address);
    const std::size_t count = std::min(part.size(), from.size());
    std::memcpy(part.data(), from.data(), count);
    address += count;
    from = from.subspan(count);
  }
}

std::uint64_t HostMemory::reserve(std::uint64_t bytes, std::uint64_t alignment) {
  const std::uint64_t address = (reserved_ + alignment - 1) & ~(alignment - 1);
  if (!contains(address, bytes)) throw std::bad_alloc();
  reserved_ = address + bytes;
  return address;
}

}  // namespace nandscape::host

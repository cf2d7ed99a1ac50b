// SPDX-License-Identifier: Apache-2.0
// The host's memory and the interrupt window, which is the address range to which devices write their interrupts. The
// memory is divided into chunks, and a chunk is allocated at its first access.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "core/zeroed_memory.h"

namespace nandscape::host {

class HostMemory {
 public:
  static constexpr std::uint64_t chunk_bytes = std::uint64_t{2} << 20;

  // The address of message-signalled interrupts on a PC: a window of 1 MiB that hides the memory beneath it.
  static constexpr std::uint64_t interrupt_window = 0xfee0'0000;
  static constexpr std::uint64_t interrupt_window_bytes = std::uint64_t{1} << 20;
  static constexpr bool is_interrupt(std::uint64_t address) {
    return address - interrupt_window < interrupt_window_bytes;
  }

  explicit HostMemory(std::uint64_t bytes);

  std::uint64_t size() const { return chunks_.size() * chunk_bytes; }
  bool contains(std::uint64_t address, std::uint64_t bytes) const {
    return address < size() && bytes <= size() - address;
  }

  // Returns the bytes from `address` to the end of its chunk; `address` must be inside the memory.
  std::span<std::byte> at(std::uint64_t address);

  // Copies any range, which must be inside the memory.
  void read(std::uint64_t address, std::span<std::byte> into);
  void write(std::uint64_t address, std::span<const std::byte> from);

  // Reserves a range of memory for queues and buffers and returns its address. `alignment` must be a power of two. A
  // range cannot be released. Throws std::bad_alloc if the memory has no room left.
  std::uint64_t reserve(std::uint64_t bytes, std::uint64_t alignment);

 private:
  std::vector<ZeroedMemory> chunks_;
  std::uint64_t reserved_;
};

}  // namespace nandscape::host

// SPDX-License-Identifier: Apache-2.0
// The device's side of a split virtqueue [Virtual I/O Device 1.2, 2.7], without indirect descriptors and event indices.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "host/guest/guest_memory.h"

namespace nandscape::host::guest {

class Virtqueue {
 public:
  // A buffer that the guest offers: a chain of descriptors.
  struct Buffer {
    std::uint16_t head;
    std::vector<std::byte> out;            // what the guest wrote for the device
    std::vector<std::span<std::byte>> in;  // where the device may write
  };
  struct Addresses {
    std::uint64_t descriptors;
    std::uint64_t used;
    std::uint64_t available;
  };

  // `name` names the queue in messages.
  Virtqueue(const GuestMemory& memory, std::string name) : memory_(memory), name_(std::move(name)) {}

  // Throw GuestError for a size that is no power of two up to 32,768, and for addresses that are not in the guest's
  // shared memory. The size must be set before the addresses.
  void set_size(std::uint32_t size);
  void set_addresses(const Addresses& addresses);
  // Called before the guest's memory is mapped anew. The queue is without buffers until it has addresses again.
  void forget_addresses() { descriptors_ = used_ = available_ = nullptr; }
  void set_next(std::uint32_t index) { next_ = static_cast<std::uint16_t>(index); }
  void enable(bool enabled) { enabled_ = enabled; }
  bool enabled() const { return enabled_ && available_ != nullptr; }

  // Takes the next buffer that the guest has made available. Throws GuestError for a chain that leaves the table, runs
  // in a circle, or leaves the guest's shared memory.
  std::optional<Buffer> take();
  // Gives a buffer back, with the number of bytes written into it.
  void give_back(const Buffer& buffer, std::uint32_t written);
  // Copies `bytes` into a buffer and gives it back. Throws GuestError if the buffer is too small.
  void answer(const Buffer& buffer, std::span<const std::byte> bytes);
  // The number of buffers that were given back since the guest was last called.
  std::uint32_t uncalled() const { return uncalled_; }
  void called() { uncalled_ = 0; }

 private:
  struct Entry {
    std::uint64_t address;
    std::uint32_t bytes;
    std::uint16_t flags;
    std::uint16_t next;
  };

  [[noreturn]] void refuse(const std::string& what) const;
  std::byte* table(const char* what, std::uint64_t address, std::uint64_t bytes) const;

  const GuestMemory& memory_;
  const std::string name_;
  std::uint32_t size_ = 0;
  bool enabled_ = false;
  std::byte* descriptors_ = nullptr;
  std::byte* used_ = nullptr;
  std::byte* available_ = nullptr;
  std::uint16_t next_ = 0;  // index of the next available entry
  std::uint16_t used_index_ = 0;
  std::uint32_t uncalled_ = 0;
};

}  // namespace nandscape::host::guest

// SPDX-License-Identifier: Apache-2.0
#include "host/guest/virtqueue.h"

#include <algorithm>
#include <atomic>
#include <bit>
#include <cstring>

#include "host/guest/guest_error.h"

namespace nandscape::host::guest {

namespace {

constexpr std::uint16_t chained = 1, device_writes = 2, indirect = 4;  // flags of a descriptor
constexpr std::size_t entry_bytes = 16;                                // of the descriptor table
constexpr std::size_t used_entry_bytes = 8;                            // an index and a length, 4 bytes each
constexpr std::size_t ring_header_bytes = 4;                           // flags and index of a ring, 2 bytes each
constexpr std::uint32_t largest_queue = 32'768;
constexpr std::size_t longest_buffer = 64 * 1024;  // far above what the messages of these devices need

std::uint16_t& half(std::byte* at) { return *reinterpret_cast<std::uint16_t*>(at); }

}  // namespace

void Virtqueue::refuse(const std::string& what) const { throw GuestError(name_ + ": " + what); }

void Virtqueue::set_size(std::uint32_t size) {
  if (size == 0 || size > largest_queue || !std::has_single_bit(size)) {
    refuse("a queue has a power of two of entries, at most 32,768, not " + std::to_string(size));
  }
  size_ = size;
}

std::byte* Virtqueue::table(const char* what, std::uint64_t address, std::uint64_t bytes) const {
  const std::span<std::byte> memory = memory_.find(address, bytes);
  if (memory.empty()) {
    refuse("the " + std::string(what) + " at " + std::to_string(address) + " is outside the guest's shared memory");
  }
  if (address % alignof(std::uint64_t) != 0 && what[0] == 'd') refuse("the descriptor table is not aligned");
  if (address % 4 != 0 && what[0] != 'd') refuse("the " + std::string(what) + " is not aligned");
  return memory.data();
}

void Virtqueue::set_addresses(const Addresses& addresses) {
  if (size_ == 0) refuse("the addresses come before the number of entries");
  descriptors_ = table("descriptor table", addresses.descriptors, size_ * entry_bytes);
  used_ = table("used ring", addresses.used, ring_header_bytes + size_ * used_entry_bytes);
  available_ = table("available ring", addresses.available, ring_header_bytes + size_ * sizeof(std::uint16_t));
  used_index_ = half(used_ + 2);
}

std::optional<Virtqueue::Buffer> Virtqueue::take() {
  if (!enabled()) return std::nullopt;
  const std::uint16_t end = std::atomic_ref(half(available_ + 2)).load(std::memory_order_acquire);
  const auto waiting = static_cast<std::uint16_t>(end - next_);
  if (waiting == 0) return std::nullopt;
  if (waiting > size_) {
    refuse(std::to_string(waiting) + " buffers are available in a queue of " + std::to_string(size_));
  }
  Buffer buffer;
  buffer.head = half(available_ + ring_header_bytes + next_ % size_ * sizeof(std::uint16_t));
  ++next_;
  std::uint32_t index = buffer.head;
  for (std::uint32_t length = 0;; ++length) {
    if (index >= size_) refuse("descriptor " + std::to_string(index) + " of " + std::to_string(size_));
    if (length == size_) refuse("a chain of descriptors runs in a circle");
    Entry entry;
    std::memcpy(&entry, descriptors_ + index * entry_bytes, sizeof entry);
    if ((entry.flags & indirect) != 0) refuse("an indirect descriptor, which was not offered");
    const std::span<std::byte> memory = memory_.find(entry.address, entry.bytes);
    if (memory.size() != entry.bytes || entry.bytes == 0) {
      refuse("a buffer of " + std::to_string(entry.bytes) + " bytes at " + std::to_string(entry.address) +
             " is outside the guest's shared memory");
    }
    if ((entry.flags & device_writes) != 0) {
      buffer.in.push_back(memory);
    } else if (!buffer.in.empty()) {
      refuse("a descriptor to read follows one to write");
    } else if (memory.size() > longest_buffer - buffer.out.size()) {
      refuse("a buffer has more than 64 KiB to read");
    } else {
      buffer.out.insert(buffer.out.end(), memory.begin(), memory.end());
    }
    if ((entry.flags & chained) == 0) return buffer;
    index = entry.next;
  }
}

void Virtqueue::give_back(const Buffer& buffer, std::uint32_t written) {
  std::byte* const entry = used_ + ring_header_bytes + used_index_ % size_ * used_entry_bytes;
  const std::uint32_t head = buffer.head;
  std::memcpy(entry, &head, sizeof head);
  std::memcpy(entry + sizeof head, &written, sizeof written);
  std::atomic_ref(half(used_ + 2)).store(++used_index_, std::memory_order_release);
  ++uncalled_;
}

void Virtqueue::answer(const Buffer& buffer, std::span<const std::byte> bytes) {
  std::span<const std::byte> left = bytes;
  for (const std::span<std::byte> part : buffer.in) {
    const std::size_t now = std::min(left.size(), part.size());
    std::ranges::copy(left.first(now), part.begin());
    left = left.subspan(now);
  }
  if (!left.empty()) {
    refuse("an answer of " + std::to_string(bytes.size()) + " bytes does not fit into its buffer");
  }
  give_back(buffer, static_cast<std::uint32_t>(bytes.size()));
}

}  // namespace nandscape::host::guest

// SPDX-License-Identifier: Apache-2.0
#include "host/driver/queue_pair.h"

#include <algorithm>
#include <bit>
#include <cassert>
#include <cstring>
#include <string>

#include "core/error.h"

namespace nandscape::host {
namespace {

// A ring aligned to its own size, rounded up to a power of two, does not cross from one chunk of memory into the next.
std::uint64_t reserve_ring(HostMemory& memory, std::uint64_t bytes, std::uint64_t page_bytes) {
  const std::uint64_t rounded = std::bit_ceil(bytes < page_bytes ? page_bytes : bytes);
  assert(rounded <= HostMemory::chunk_bytes);
  return memory.reserve(rounded, rounded);
}

}  // namespace

QueuePair::QueuePair(HostMemory& memory, RegisterPort& registers, const Layout& layout)
    : memory_(memory),
      registers_(registers),
      layout_(layout),
      submission_base_(reserve_ring(memory, std::uint64_t{layout.entries} * sizeof(nvme::SubmissionEntry),
                                    layout.memory_page_bytes)),
      completion_base_(reserve_ring(memory, std::uint64_t{layout.entries} * sizeof(nvme::CompletionEntry),
                                    layout.memory_page_bytes)),
      submissions_(reinterpret_cast<nvme::SubmissionEntry*>(memory.at(submission_base_).data())),
      completions_(reinterpret_cast<const nvme::CompletionEntry*>(memory.at(completion_base_).data())),
      slots_(layout.entries - 1),
      in_flight_(slots_.size()),
      ids_(slots_.size()) {
  clear();
}

void QueuePair::clear() {
  const std::size_t ring_bytes = std::size_t{layout_.entries} * sizeof(nvme::CompletionEntry);
  std::ranges::fill(memory_.at(completion_base_).first(ring_bytes), std::byte{0});
  tail_ = rung_tail_ = head_ = 0;
  pushed_ = 0;
  phase_ = true;
  free_ids_ = 0;
  for (auto id = static_cast<std::uint16_t>(slots_.size()); id-- > 0;) {
    in_flight_[id] = false;
    ids_[free_ids_++] = id;
  }
}

void QueuePair::prepare(std::uint32_t bytes) {
  Slot& slot = slots_[ids_[free_ids_ - 1]];
  if (slot.buffer == 0) reserve(slot);
  if (bytes > slot.prepared_bytes) write_list(slot);
}

void QueuePair::refuse(std::uint16_t id) const {
  throw Error("the device posted a completion of command " + std::to_string(id) + " of queue " +
              std::to_string(layout_.id) + ", but no such command is in flight");
}

void QueuePair::reserve(Slot& slot) {
  const std::uint64_t page = layout_.memory_page_bytes;
  slot.buffer = memory_.reserve(layout_.buffer_bytes, page);
  const std::uint64_t pages = layout_.buffer_bytes / page;
  slot.prepared_bytes = std::min(layout_.buffer_bytes, 2 * layout_.memory_page_bytes);
  if (pages <= 2) return;
  assert((pages - 1) * 8 <= page);
  slot.list = memory_.reserve(page, page);
}

void QueuePair::write_list(Slot& slot) {
  const std::uint64_t page = layout_.memory_page_bytes;
  for (std::uint64_t k = 1; k < layout_.buffer_bytes / page; ++k) {
    const std::uint64_t entry = slot.buffer + k * page;
    std::memcpy(memory_.at(slot.list + (k - 1) * 8).data(), &entry, sizeof entry);
  }
  slot.prepared_bytes = layout_.buffer_bytes;
}

}  // namespace nandscape::host

// SPDX-License-Identifier: Apache-2.0
// A table of numbers that are 0 at first. Each number takes as many bytes as the highest one needs. The table is
// divided into regions. A region is reserved when a number in it is set, and takes memory only where numbers have been
// set.
#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <vector>

#include "core/archive.h"
#include "core/zeroed_memory.h"

namespace nandscape::controller {

class PackedNumbers {
 public:
  // The table has `count` numbers, from 0 to `most`.
  PackedNumbers(std::uint64_t count, std::uint64_t most)
      : bytes_each_((static_cast<unsigned>(std::bit_width(most)) + 7) / 8),
        mask_(~std::uint64_t{0} >> (64 - 8 * bytes_each_)),
        count_(count),
        regions_((count >> region_bits) + 1) {}

  unsigned bytes_each() const { return bytes_each_; }
  std::uint64_t operator[](std::uint64_t place) const {
    const std::byte* const region = regions_[place >> region_bits].data();
    return region == nullptr ? 0 : word(region + offset(place)) & mask_;
  }
  void set(std::uint64_t place, std::uint64_t number) {
    ZeroedMemory& region = regions_[place >> region_bits];
    if (region.data() == nullptr) [[unlikely]]
      region = ZeroedMemory(region_bytes());
    const std::uint64_t changed = (word(region.data() + offset(place)) & ~mask_) | number;
    std::memcpy(region.data() + offset(place), &changed, sizeof changed);
  }
  // Prefetches a number that will soon be read or changed, because a large table does not fit into the processor's
  // caches.
  void prefetch(std::uint64_t place) const {
    const std::byte* const region = regions_[place >> region_bits].data();
    if (region != nullptr) __builtin_prefetch(region + offset(place), 1);
  }

  // Sets a range of numbers, or all numbers, to 0.
  void clear(std::uint64_t first, std::uint64_t count) {
    for_each_part(first, count, [&](ZeroedMemory& region, std::size_t begin, std::size_t bytes) {
      if (region.data() != nullptr) region.clear(begin, bytes);
    });
  }
  void clear() { clear(0, count_); }

  // Saves or restores a range of numbers. When restoring, the numbers must be 0 before.
  void persist(Archive& archive, std::uint64_t first, std::uint64_t count) {
    auto copied = std::make_unique<std::byte[]>(count * bytes_each_);
    std::byte* place = copied.get();
    if (!archive.loading()) {
      for_each_part(first, count, [&](const ZeroedMemory& region, std::size_t begin, std::size_t bytes) {
        if (region.data() != nullptr) std::memcpy(place, region.data() + begin, bytes);
        place += bytes;
      });
    }
    archive.array(copied, count * bytes_each_);
    if (!archive.loading()) return;
    place = copied.get();
    for_each_part(first, count, [&](ZeroedMemory& region, std::size_t begin, std::size_t bytes) {
      const bool used = std::any_of(place, place + bytes, [](std::byte byte) { return byte != std::byte{0}; });
      if (used && region.data() == nullptr) region = ZeroedMemory(region_bytes());
      if (used) std::memcpy(region.data() + begin, place, bytes);
      place += bytes;
    });
  }

 private:
  static_assert(std::endian::native == std::endian::little, "numbers are stored as the low bytes of a word");

  static constexpr unsigned region_bits = 18;

  // Calls visit(region, begin, bytes) for each part of a range that lies in one region.
  template <class Visit>
  void for_each_part(std::uint64_t first, std::uint64_t count, Visit visit) {
    for (const std::uint64_t end = first + count; first < end;) {
      const std::uint64_t next = std::min(end, ((first >> region_bits) + 1) << region_bits);
      visit(regions_[first >> region_bits], offset(first), (next - first) * bytes_each_);
      first = next;
    }
  }
  std::size_t offset(std::uint64_t place) const {
    return (place & ((std::uint64_t{1} << region_bits) - 1)) * bytes_each_;
  }
  // The extra bytes at the end allow the last number, like every number, to be loaded as a 64-bit word.
  std::size_t region_bytes() const { return (std::size_t{bytes_each_} << region_bits) + sizeof(std::uint64_t); }
  static std::uint64_t word(const std::byte* bytes) {
    std::uint64_t word;
    std::memcpy(&word, bytes, sizeof word);
    return word;
  }

  unsigned bytes_each_;
  std::uint64_t mask_;
  std::uint64_t count_;
  std::vector<ZeroedMemory> regions_;  // empty where no number has been set
};

}  // namespace nandscape::controller

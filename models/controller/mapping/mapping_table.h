// SPDX-License-Identifier: Apache-2.0
// Maps logical to physical pages. The table stores only entries that have changed since the start of the simulation, in
// chunks that are allocated at their first change. All other entries are computed from the initial fill.
#pragma once

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <memory>
#include <vector>

#include "controller/addresses/ids.h"
#include "controller/mapping/initial_fill.h"
#include "core/archive.h"
#include "core/component.h"

namespace nandscape::controller {

class MappingTable final : public Component {
 public:
  MappingTable(std::uint64_t logical_pages, std::uint64_t physical_pages, const InitialFill& initial);

  // Returns the physical address of the page's data, or an invalid Ppa if the page is unmapped.
  Ppa find(Lpn lpn) const {
    const std::uint64_t entry = load(lpn);
    return entry == as_filled ? initial_.find(lpn) : place_of(entry);
  }
  // Prefetches an entry that will soon be read or changed, because a large table does not fit into the processor's
  // caches.
  void prefetch(Lpn lpn) const {
    if (const auto& chunk = chunks_[lpn.value >> chunk_bits]; chunk != nullptr) {
      __builtin_prefetch(&chunk[(lpn.value & ((1U << chunk_bits) - 1)) * entry_bytes_], 1);
    }
  }
  const InitialFill& initial() const { return initial_; }
  void map(Lpn lpn, Ppa ppa) { store(lpn, ppa.value + first_page); }
  void unmap(Lpn lpn) { store(lpn, unmapped); }
  // Unmaps the pages first to first+count-1. A chunk that is unmapped as a whole is only marked, which takes no memory
  // and hardly any time.
  void unmap(Lpn first, std::uint64_t count);
  // Returns the first mapped page of [from, end), or `end` if none of these pages is mapped.
  Lpn next_mapped(Lpn from, Lpn end) const;

  // Calls visit(Lpn, Ppa) for each page whose entry may have changed since the start of the simulation. The Ppa is
  // invalid if the page is unmapped.
  template <class Visit>
  void for_each_changed(Visit visit) const {
    for (std::uint64_t chunk = 0; chunk < chunks_.size(); ++chunk) {
      if (chunks_[chunk] == nullptr && !unmapped_chunks_[chunk]) continue;
      const std::uint64_t first = chunk << chunk_bits;
      for (std::uint64_t lpn = first; lpn < std::min(first + (1U << chunk_bits), logical_pages_); ++lpn) {
        if (const std::uint64_t entry = load(Lpn(lpn)); entry != as_filled) visit(Lpn(lpn), place_of(entry));
      }
    }
  }

  // Calls visit(Lpn, Ppa) for each mapped page whose chunk is stored.
  template <class Visit>
  void for_each_stored(Visit visit) const {
    for (std::uint64_t chunk = 0; chunk < chunks_.size(); ++chunk) {
      if (chunks_[chunk] == nullptr) continue;
      const std::uint64_t first = chunk << chunk_bits;
      for (std::uint64_t lpn = first; lpn < std::min(first + (1U << chunk_bits), logical_pages_); ++lpn) {
        if (const Ppa place = find(Lpn(lpn)); place.valid()) visit(Lpn(lpn), place);
      }
    }
  }

  // Whether each chunk is either stored or marked as unmapped, and more chunks are marked than stored.
  bool mostly_unmapped() const {
    std::size_t stored = 0, empty = 0;
    for (std::size_t chunk = 0; chunk < chunks_.size(); ++chunk) {
      stored += chunks_[chunk] != nullptr;
      empty += unmapped_chunks_[chunk];
    }
    return stored + empty == chunks_.size() && stored < empty;
  }

  void persist(Archive& archive) override;

 private:
  static constexpr std::uint64_t as_filled = 0;
  static constexpr std::uint64_t unmapped = 1;
  static constexpr std::uint64_t first_page = 2;
  static constexpr unsigned chunk_bits = 10;

  static constexpr std::uint64_t chunk_entries = std::uint64_t{1} << chunk_bits;

  static Ppa place_of(std::uint64_t entry) { return entry == unmapped ? Ppa() : Ppa(entry - first_page); }
  std::uint64_t load(Lpn lpn) const {
    const auto& chunk = chunks_[lpn.value >> chunk_bits];
    if (chunk == nullptr) return unmapped_chunks_[lpn.value >> chunk_bits] ? unmapped : as_filled;
    std::uint64_t entry;
    std::memcpy(&entry, &chunk[(lpn.value & ((1U << chunk_bits) - 1)) * entry_bytes_], sizeof entry);
    return entry & entry_mask_;
  }
  void store(Lpn lpn, std::uint64_t entry);
  std::size_t chunk_bytes() const;

  const std::uint64_t logical_pages_;
  const InitialFill& initial_;
  unsigned entry_bytes_;  // smallest number of bytes that can hold every entry
  std::uint64_t entry_mask_;
  std::vector<std::unique_ptr<std::uint8_t[]>> chunks_;
  std::vector<bool> unmapped_chunks_;  // chunks that are marked as unmapped instead of being stored
};

}  // namespace nandscape::controller

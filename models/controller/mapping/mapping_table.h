// SPDX-License-Identifier: Apache-2.0
// Maps logical to physical pages. The table stores only entries that have changed since the start of the simulation. An
// entry that is 0 has not changed, and is computed from the initial fill. The table is divided into chunks; it records
// which chunks contain a stored entry, so that only those are saved, searched or cleared.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "controller/addresses/ids.h"
#include "controller/mapping/initial_fill.h"
#include "controller/mapping/packed_numbers.h"
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
  // Prefetches an entry that will soon be read or changed.
  void prefetch(Lpn lpn) const { entries_.prefetch(lpn.value); }
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
    for_each_in_chunks([](Chunk chunk) { return chunk != Chunk::as_filled; },
                       [&](Lpn lpn) {
                         if (const std::uint64_t entry = load(lpn); entry != as_filled) visit(lpn, place_of(entry));
                       });
  }

  // Calls visit(Lpn, Ppa) for each mapped page whose chunk is stored.
  template <class Visit>
  void for_each_stored(Visit visit) const {
    for_each_in_chunks([](Chunk chunk) { return chunk == Chunk::stored; },
                       [&](Lpn lpn) {
                         if (const Ppa place = find(lpn); place.valid()) visit(lpn, place);
                       });
  }

  // Whether each chunk is either stored or marked as unmapped, and more chunks are marked than stored.
  bool mostly_unmapped() const {
    const auto stored = std::ranges::count(chunks_, Chunk::stored);
    const auto empty = std::ranges::count(chunks_, Chunk::unmapped);
    return static_cast<std::size_t>(stored + empty) == chunks_.size() && stored < empty;
  }

  void persist(Archive& archive) override;

 private:
  static constexpr std::uint64_t as_filled = 0;
  static constexpr std::uint64_t unmapped = 1;
  static constexpr std::uint64_t first_page = 2;
  static constexpr unsigned chunk_bits = 10;
  static constexpr std::uint64_t chunk_entries = std::uint64_t{1} << chunk_bits;

  // Entries of a chunk that is not stored are 0.
  enum class Chunk : std::uint8_t {
    as_filled,
    stored,
    unmapped,  // all of its pages are unmapped
  };

  static Ppa place_of(std::uint64_t entry) { return entry == unmapped ? Ppa() : Ppa(entry - first_page); }
  // An entry of a chunk that is not stored is not read, so that it takes no memory.
  std::uint64_t load(Lpn lpn) const {
    const Chunk chunk = chunks_[lpn.value >> chunk_bits];
    if (chunk == Chunk::stored) return entries_[lpn.value];
    return chunk == Chunk::unmapped ? unmapped : as_filled;
  }
  // Calls visit(Lpn) for each page of the chunks for which chosen(Chunk) is true.
  template <class Chosen, class Visit>
  void for_each_in_chunks(Chosen chosen, Visit visit) const {
    for (std::uint64_t chunk = 0; chunk < chunks_.size(); ++chunk) {
      if (!chosen(chunks_[chunk])) continue;
      const std::uint64_t first = chunk << chunk_bits;
      for (std::uint64_t lpn = first; lpn < std::min(first + chunk_entries, logical_pages_); ++lpn) visit(Lpn(lpn));
    }
  }
  void store(Lpn lpn, std::uint64_t entry) {
    if (chunks_[lpn.value >> chunk_bits] != Chunk::stored) [[unlikely]]
      begin_chunk(lpn.value >> chunk_bits);
    entries_.set(lpn.value, entry);
  }
  void begin_chunk(std::uint64_t chunk);

  const std::uint64_t logical_pages_;
  const InitialFill& initial_;
  std::vector<Chunk> chunks_;
  PackedNumbers entries_;
};

}  // namespace nandscape::controller

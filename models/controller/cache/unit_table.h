// SPDX-License-Identifier: Apache-2.0
// The cache's units, a hash table by logical page number. Memory is allocated in chunks, as units are used for the
// first time.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "controller/cache/cached_unit.h"

namespace nandscape::controller {

class UnitTable {
 public:
  // `data_bytes` is the size of a unit's data, or 0 when the simulation keeps no data.
  UnitTable(std::uint32_t capacity, std::uint32_t data_bytes) : capacity_(capacity), data_bytes_(data_bytes) {}

  std::uint32_t capacity() const { return capacity_; }
  std::uint32_t in_use() const { return in_use_; }
  bool full() const { return in_use_ == capacity_; }

  CachedUnit* find(Lpn lpn) const;
  // The table must not be full and must not contain the unit.
  CachedUnit& add(Lpn lpn);
  void remove(CachedUnit& unit);

  // Calls visit(unit) for each unit of the pages [first, first + count); visit may remove that unit.
  template <class Visit>
  void for_each(Lpn first, std::uint64_t count, Visit visit) {
    if (count < in_use_) {
      for (std::uint64_t k = 0; k < count; ++k) {
        if (CachedUnit* unit = find(Lpn(first.value + k))) visit(*unit);
      }
    } else {
      for (std::uint32_t index = 0; index < touched_; ++index) {
        CachedUnit& unit = at(index);
        if (unit.lpn.valid() && unit.lpn.value - first.value < count) visit(unit);
      }
    }
  }
  template <class Visit>
  void for_each(Visit visit) const {
    for (std::uint32_t index = 0; index < touched_; ++index) {
      const CachedUnit& unit = at(index);
      if (unit.lpn.valid()) visit(unit);
    }
  }

 private:
  static constexpr std::uint32_t chunk_units = 64;

  struct Chunk {
    CachedUnit units[chunk_units];
    std::unique_ptr<std::byte[]> data;
  };

  CachedUnit& at(std::uint32_t index) const { return chunks_[index / chunk_units]->units[index % chunk_units]; }
  std::size_t chain(Lpn lpn) const;
  void touch_next();
  void grow_chains();

  const std::uint32_t capacity_;
  const std::uint32_t data_bytes_;
  std::uint32_t touched_ = 0;
  std::uint32_t in_use_ = 0;
  CachedUnit* free_ = nullptr;  // linked through next_of_hash
  std::vector<std::unique_ptr<Chunk>> chunks_;
  std::vector<CachedUnit*> chains_ = std::vector<CachedUnit*>(chunk_units);  // their number is a power of two
};

}  // namespace nandscape::controller

// SPDX-License-Identifier: Apache-2.0
// Two families of places that do not mix. Those of the mapping: planes, superblocks and units, as FlashLayout lays
// them out. Those of the flash: planes, blocks and pages of the dies.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "core/ids.h"

namespace nandscape::controller {

// Of the mapping, each numbered over the whole drive. A plane is what blocks are allocated and collected in; a
// superblock is the block of the flash, or the blocks, that is erased and filled as one; a physical page address is
// the place of a mapping unit.
using FtlPlane = Id<struct FtlPlaneTag, std::uint32_t>;
using Superblock = Id<struct SuperblockTag, std::uint32_t>;
using Ppa = Id<struct PpaTag, std::uint64_t>;

// Of the flash, as the protocol numbers them.
using FlashPlane = PlaneId;
using FlashBlock = BlockId;
using FlashPage = Ppn;

// So many places of a kind, from the first one on, to go over.
template <class Place>
class Places {
 public:
  explicit Places(std::size_t count) : end_{Place(static_cast<typename Place::Value>(count))} {}

  struct Iterator {
    Place place;
    Place operator*() const { return place; }
    Iterator& operator++() {
      ++place.value;
      return *this;
    }
    friend bool operator==(Iterator, Iterator) = default;
  };
  Iterator begin() const { return {Place(0)}; }
  Iterator end() const { return end_; }

 private:
  Iterator end_;
};

// A value for each place of a kind, found by the place and by nothing else.
template <class Place, class T>
class IdVector {
 public:
  IdVector() = default;
  explicit IdVector(std::size_t places) : values_(places) {}
  IdVector(std::size_t places, const T& value) : values_(places, value) {}

  decltype(auto) operator[](Place place) { return values_[place.value]; }
  decltype(auto) operator[](Place place) const { return values_[place.value]; }

  std::size_t size() const { return values_.size(); }
  Places<Place> places() const { return Places<Place>(size()); }
  bool empty() const { return values_.empty(); }
  void resize(std::size_t places) { values_.resize(places); }
  auto begin() { return values_.begin(); }
  auto end() { return values_.end(); }
  auto begin() const { return values_.begin(); }
  auto end() const { return values_.end(); }
  // In the order of the places, for those who save them.
  std::vector<T>& values() { return values_; }

 private:
  std::vector<T> values_;
};

}  // namespace nandscape::controller

// SPDX-License-Identifier: Apache-2.0
// Types of places, in two families that do not mix. Places of the mapping are planes, superblocks and units, as
// FlashLayout arranges them. Places of the flash are planes, blocks and pages of the dies.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "core/ids.h"

namespace nandscape::controller {

// Places of the mapping, each numbered over the whole drive. Blocks are allocated and collected within a plane. A
// superblock is the flash block, or the flash blocks, that are erased and filled as one. A physical page address is the
// place of a mapping unit.
using FtlPlane = Id<struct FtlPlaneTag, std::uint32_t>;
using Superblock = Id<struct SuperblockTag, std::uint32_t>;
using Ppa = Id<struct PpaTag, std::uint64_t>;

// Places of the flash, as the protocol numbers them.
using FlashPlane = PlaneId;
using FlashBlock = BlockId;
using FlashPage = Ppn;

// A range of the first `count` places of a kind.
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

// A value for each place of a kind, indexed by the place type only.
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
  // All values in the order of the places, for saving and restoring.
  std::vector<T>& values() { return values_; }

 private:
  std::vector<T> values_;
};

}  // namespace nandscape::controller

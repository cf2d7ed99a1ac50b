// SPDX-License-Identifier: Apache-2.0
// Ranges of identifiers (core/ids.h), and vectors that accept only one type of identifier as an index.
#pragma once

#include <cstddef>
#include <utility>
#include <vector>

namespace nandscape {

// The range of the first `count` identifiers of a type, for range-based for loops.
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

// A vector with one value for each identifier of the type `Place`. Only a `Place` is accepted as an index.
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
  void reserve(std::size_t places) { values_.reserve(places); }
  // Appends the value of the next identifier.
  template <class... Arguments>
  T& emplace_back(Arguments&&... arguments) {
    return values_.emplace_back(std::forward<Arguments>(arguments)...);
  }
  auto begin() { return values_.begin(); }
  auto end() { return values_.end(); }
  auto begin() const { return values_.begin(); }
  auto end() const { return values_.end(); }
  // Returns all values in the order of their identifiers, for saving and restoring.
  std::vector<T>& values() { return values_; }

 private:
  std::vector<T> values_;
};

}  // namespace nandscape

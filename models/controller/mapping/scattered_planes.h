// SPDX-License-Identifier: Apache-2.0
// Gives the planes of units that were written one by one, at different times, by a policy that is free to choose
// planes. Each unit is on any plane, whatever its address, and all planes hold the same number. A formula in both
// directions, instead of a table:
//
//   A row is 64 units for each plane: piece q holds the units 64 q to 64 q + 63 of the row. Unit j of piece q takes the
//   place that the static allocation gives unit j of piece (q + h) mod planes, with h drawn for the row and for j.
//
// So neighbours are on planes drawn independently of each other, and units of a row that are moved by the same h stay
// apart.
#pragma once

#include <cstdint>

#include "controller/addresses/ids.h"
#include "core/divisor.h"
#include "core/random.h"

namespace nandscape::controller {

class ScatteredPlanes {
 public:
  // `together`: number of units that the static allocation keeps together, a divisor of 64.
  ScatteredPlanes(std::uint32_t planes, std::uint32_t together, std::uint64_t seed)
      : planes_(planes), together_(together), seed_(seed) {}

  std::uint64_t row_of(Lpn lpn) const { return planes_.quotient(lpn.value / piece); }
  std::uint64_t units_per_row() const { return piece * planes_.value(); }

  // The unit whose place in the static allocation this unit takes.
  Lpn place_of(Lpn lpn) const {
    const std::uint64_t row = row_of(lpn);
    const auto unit = static_cast<std::uint32_t>(lpn.value - row * units_per_row());
    const std::uint32_t j = unit % piece;
    const std::uint32_t column = wrapped(unit / piece + drawn(row, j));
    return Lpn(row * units_per_row() + (j / together_ * planes_.value() + column) * together_ + j % together_);
  }
  // The unit that takes the place of `place`.
  Lpn unit_at(Lpn place) const {
    const std::uint64_t row = row_of(place);
    const auto position = static_cast<std::uint32_t>(place.value - row * units_per_row());
    const std::uint32_t group = position / together_;
    const auto round = static_cast<std::uint32_t>(planes_.quotient(group));
    const std::uint32_t column = group - round * planes_.value();
    const std::uint32_t j = round * together_ + position % together_;
    return Lpn(row * units_per_row() + wrapped(column + planes_.value() - drawn(row, j)) * piece + j);
  }

 private:
  static constexpr std::uint32_t piece = 64;

  // The drawn h, below the number of planes.
  std::uint32_t drawn(std::uint64_t row, std::uint32_t j) const {
    const std::uint64_t word = mix64(seed_ ^ (row * piece + j)) >> 32;
    return static_cast<std::uint32_t>(word * planes_.value() >> 32);
  }
  std::uint32_t wrapped(std::uint32_t column) const {
    return column < planes_.value() ? column : column - planes_.value();
  }

  Divisor planes_;
  std::uint32_t together_;
  std::uint64_t seed_;
};

}  // namespace nandscape::controller

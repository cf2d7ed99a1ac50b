// SPDX-License-Identifier: Apache-2.0
// A set of sectors of a mapping unit, one bit per sector.
#pragma once

#include <bit>
#include <cassert>
#include <cstdint>

namespace nandscape::controller {

class SectorSet {
 public:
  static constexpr std::uint32_t most_sectors = 128;

  constexpr SectorSet() = default;
  static constexpr SectorSet range(std::uint32_t first, std::uint32_t count) {
    assert(first + count <= most_sectors);
    if (count == 0) return {};
    return SectorSet(~Bits{0} >> (most_sectors - count) << first);
  }

  constexpr bool any() const { return bits_ != 0; }
  constexpr std::uint32_t count() const {
    return static_cast<std::uint32_t>(std::popcount(low()) + std::popcount(high()));
  }
  constexpr bool contains(SectorSet other) const { return (other.bits_ & ~bits_) == 0; }

  // The lowest sector, and the sector after the highest. The set must not be empty.
  constexpr std::uint32_t first() const {
    return static_cast<std::uint32_t>(low() != 0 ? std::countr_zero(low()) : 64 + std::countr_zero(high()));
  }
  constexpr std::uint32_t end() const {
    return static_cast<std::uint32_t>(high() != 0 ? 128 - std::countl_zero(high()) : 64 - std::countl_zero(low()));
  }
  // All sectors from its first to its last.
  constexpr SectorSet span() const { return any() ? range(first(), end() - first()) : SectorSet(); }

  // Calls visit(first, count) for each run of adjacent sectors.
  template <class Visit>
  constexpr void for_each_run(Visit visit) const {
    for (SectorSet left = *this; left.any();) {
      const std::uint32_t from = left.first();
      std::uint32_t length = 1;
      while (from + length < most_sectors && (left.bits_ >> (from + length) & 1) != 0) ++length;
      visit(from, length);
      left = left - range(from, length);
    }
  }

  friend constexpr bool operator==(SectorSet, SectorSet) = default;
  friend constexpr SectorSet operator|(SectorSet a, SectorSet b) { return SectorSet(a.bits_ | b.bits_); }
  friend constexpr SectorSet operator&(SectorSet a, SectorSet b) { return SectorSet(a.bits_ & b.bits_); }
  friend constexpr SectorSet operator-(SectorSet a, SectorSet b) { return SectorSet(a.bits_ & ~b.bits_); }

 private:
  using Bits = unsigned __int128;

  constexpr explicit SectorSet(Bits bits) : bits_(bits) {}
  constexpr std::uint64_t low() const { return static_cast<std::uint64_t>(bits_); }
  constexpr std::uint64_t high() const { return static_cast<std::uint64_t>(bits_ >> 64); }

  Bits bits_ = 0;
};

}  // namespace nandscape::controller

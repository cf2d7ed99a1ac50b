// SPDX-License-Identifier: Apache-2.0
// Constants of the additive fast Fourier transform that evaluates a polynomial at every element of GF(2^m) [Gao and
// Mateer 2010; Bernstein, Chou and Schwabe, McBits, 2013].
//
// The transform evaluates a polynomial f at the sums of a basis b_1, ..., b_n. With g(x) = f(b_n x) and its Taylor
// expansion g(x) = g_0(x^2 + x) + x g_1(x^2 + x), two polynomials of half the degree remain. They are evaluated at the
// sums of a basis of n - 1 elements, d_j = c_j^2 + c_j with c_j = b_j / b_n. If u and v are the values of g_0 and g_1,
// f is u + c v at the point that belongs to a sum c of some c_j. At that point plus b_n, f is u + c v + v. Levels count
// the halvings; all polynomials of a level have the same basis.
//
// Values are stored as bit planes: a block holds 512 points, and plane q holds bit q of each value.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "ecc/bch/cache_line_vector.h"
#include "ecc/bch/galois_field.h"

namespace nandscape::ecc {

inline constexpr std::uint32_t block_dimensions = 9;
inline constexpr std::size_t block_points = std::size_t{1} << block_dimensions;
inline constexpr std::size_t plane_words = block_points / 64;

struct RootSearchTables {
  // For polynomials of degree up to `max_degree`.
  RootSearchTables(const GaloisField& field, std::uint32_t max_degree);

  // How often a polynomial of this degree is halved: until degree 2 is left, or until its points fit into one block.
  std::uint32_t levels_for(std::uint32_t polynomial_degree) const;

  std::uint32_t dimensions;      // at level 0: m, but at least a block's dimensions
  std::size_t blocks;            // blocks for all points of level 0
  std::size_t max_coefficients;  // a power of two above max_degree
  std::size_t twist_stride;      // row length for max_coefficients, in whole vectors
  std::size_t slope_stride;      // room for all polynomials that halving makes, in whole vectors

  // Tables for the step from one level to the next.
  struct Level {
    // b_n^(i >> level) x^q for coefficient i, by q and i; the coefficients of the level's polynomials alternate.
    CacheLineVector<std::uint16_t> twist;
    // The sums of the c_j, in blocks.
    CacheLineVector<std::uint64_t> points;
  };
  std::vector<Level> levels;

  // b x^i and b^2 x^i for an element b of the basis.
  struct BasisElement {
    std::array<std::uint16_t, 16> multiples;
    std::array<std::uint16_t, 16> multiples_of_square;
  };

  // Tables for the polynomials left after halving, by the number of levels.
  struct Bottom {
    std::vector<BasisElement> basis;  // dimensions - number of levels
    // Cubes of all sums of the basis, in blocks. Present only after the last level, where degrees above 2 may be left.
    CacheLineVector<std::uint64_t> cubes;
  };
  std::vector<Bottom> bottoms;
};

}  // namespace nandscape::ecc

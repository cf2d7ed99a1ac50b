// SPDX-License-Identifier: Apache-2.0
// Constants of the additive fast Fourier transform that evaluates a polynomial at every element of GF(2^m) [Gao and
// Mateer 2010; Bernstein, Chou and Schwabe, McBits, 2013].
//
// The transform evaluates a polynomial f at all sums of the elements of a basis b_1, ..., b_n. Let g(x) = f(b_n x). The
// Taylor expansion g(x) = g_0(x^2 + x) + x g_1(x^2 + x) reduces the problem to two polynomials, g_0 and g_1, of half
// the degree. They are evaluated at the sums of a basis of n - 1 elements, d_j = c_j^2 + c_j with c_j = b_j / b_n. Let
// c be a sum of some of the c_j, and let u and v be the values of g_0 and g_1 for this sum. Then f is u + c v at the
// point b_n c, and u + c v + v at the point b_n c + b_n. The level is the number of halvings. All polynomials of a
// level are evaluated with the same basis.
//
// Values are stored as bit planes. A block holds the values at 512 points, and its plane q contains bit q of each
// value.
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
  // Computes the tables for polynomials of a degree up to `max_degree`.
  RootSearchTables(const GaloisField& field, std::uint32_t max_degree);

  // Returns the number of times that a polynomial of this degree is halved. Halving stops when the degree is at most 2,
  // or when all points fit into one block.
  std::uint32_t levels_for(std::uint32_t polynomial_degree) const;

  std::uint32_t dimensions;      // dimension of the basis at level 0: m, but at least block_dimensions
  std::size_t blocks;            // number of blocks for all points of level 0
  std::size_t max_coefficients;  // a power of two above max_degree
  std::size_t twist_stride;      // length of a row of max_coefficients, rounded up to whole vectors
  std::size_t slope_stride;      // number of polynomials after all halvings, rounded up to whole vectors

  // Tables for the step between a level and the next.
  struct Level {
    // b_n^(i >> level) x^q for coefficient i, indexed by q and then by i. The coefficients of the polynomials of a
    // level are interleaved.
    CacheLineVector<std::uint16_t> twist;
    // The sums of the c_j, as blocks of bit planes.
    CacheLineVector<std::uint64_t> points;
  };
  std::vector<Level> levels;

  // The products b x^i and b^2 x^i for an element b of the basis.
  struct BasisElement {
    std::array<std::uint16_t, 16> multiples;
    std::array<std::uint16_t, 16> multiples_of_square;
  };

  // Tables for the polynomials that remain after halving, indexed by the number of levels.
  struct Bottom {
    std::vector<BasisElement> basis;  // its size is `dimensions` minus the number of levels
    // The cubes of all sums of the basis, as blocks of bit planes. They exist only for the last level, because only
    // there can the remaining degree exceed 2.
    CacheLineVector<std::uint64_t> cubes;
  };
  std::vector<Bottom> bottoms;
};

}  // namespace nandscape::ecc

// SPDX-License-Identifier: Apache-2.0
// The working memory of one decoder. The steps of the decoder use it to pass data to each other.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "ecc/bch/cache_line_vector.h"
#include "ecc/bch/root_search_tables.h"

namespace nandscape::ecc {

struct BchScratch {
  // Vector instructions may access up to this many elements after the last element.
  static constexpr std::size_t spare_lanes = 64;

  BchScratch(std::uint32_t field_degree, std::uint32_t correctable_bits, std::size_t remainder_words,
             const RootSearchTables& root_search);

  CacheLineVector<std::uint64_t> remainder;
  CacheLineVector<std::uint16_t> odd_syndromes;
  CacheLineVector<std::uint16_t> syndromes;  // S_l is element l - 1

  // The polynomials Lambda and S * Lambda of the Berlekamp-Massey algorithm. There are three pairs: the current pair,
  // an earlier pair, and room for the next pair.
  struct Connection {
    CacheLineVector<std::uint16_t> polynomial;
    CacheLineVector<std::uint16_t> product;
  };
  std::array<Connection, 3> connections;

  CacheLineVector<std::uint16_t> locator;
  CacheLineVector<std::uint16_t> coefficients;  // coefficients of all polynomials in the root search
  CacheLineVector<std::uint16_t> slopes;        // slopes of affine functions, by basis element and polynomial
  CacheLineVector<std::uint64_t> planes;        // values of the root search as bit planes
  CacheLineVector<std::uint64_t> zeros;         // one bit for each point; the bits of the roots are set
  CacheLineVector<std::uint16_t> words_with_zeros;
  CacheLineVector<std::uint16_t> roots;
};

}  // namespace nandscape::ecc

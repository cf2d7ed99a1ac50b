// SPDX-License-Identifier: Apache-2.0
// Finds the roots of a polynomial over GF(2^m) by evaluating the polynomial at all elements of the field.
// root_search_tables.h describes the method.
#pragma once

#include <algorithm>
#include <bit>

#include "ecc/bch/galois_field.h"
#include "ecc/bch/root_search_tables.h"
#include "ecc/bch/scratch.h"
#include "ecc/bch/vectors.h"

namespace nandscape::ecc::bch_kernel_code {

// Computes product = a * b in GF(2^m). Each bit position of a vector holds a separate pair of values. The values are
// stored as bit planes.
template <class Words, std::uint32_t m>
NANDSCAPE_BCH_INLINE void multiply_planes(Words (&product)[m], const Words (&a)[m], const Words (&b)[m]) {
  constexpr std::uint32_t modulus = primitive_polynomials[m];
  Words sums[2 * m - 1] = {};
  NANDSCAPE_BCH_UNROLL
  for (std::uint32_t i = 0; i < m; ++i) {
    NANDSCAPE_BCH_UNROLL
    for (std::uint32_t j = 0; j < m; ++j) sums[i + j] ^= a[i] & b[j];
  }
  NANDSCAPE_BCH_UNROLL
  for (std::uint32_t high = 2 * m - 2; high >= m; --high) {
    NANDSCAPE_BCH_UNROLL
    for (std::uint32_t i = 0; i < m; ++i) {
      if (modulus >> i & 1) sums[high - m + i] ^= sums[high];
    }
  }
  NANDSCAPE_BCH_UNROLL
  for (std::uint32_t i = 0; i < m; ++i) product[i] = sums[i];
}

template <class Words, std::uint32_t m>
NANDSCAPE_BCH_INLINE void load_planes(Words (&planes)[m], const std::uint64_t* block) {
  NANDSCAPE_BCH_UNROLL
  for (std::uint32_t q = 0; q < m; ++q) load(planes[q], block + q * plane_words);
}

// Replaces u by u + c v, and v by u + c v + v, for all values of two blocks.
template <class Words, std::uint32_t m>
NANDSCAPE_BCH_INLINE void combine_blocks(std::uint64_t* u_block, std::uint64_t* v_block, const std::uint64_t* c_block) {
  constexpr std::size_t words = sizeof(Words) / sizeof(std::uint64_t);
  for (std::size_t part = 0; part < plane_words; part += words) {
    Words v[m], c[m], product[m];
    load_planes(v, v_block + part);
    load_planes(c, c_block + part);
    multiply_planes<Words, m>(product, c, v);
    NANDSCAPE_BCH_UNROLL
    for (std::uint32_t q = 0; q < m; ++q) {
      Words sum;
      load(sum, u_block + part + q * plane_words);
      sum ^= product[q];
      store(u_block + part + q * plane_words, sum);
      sum ^= v[q];
      store(v_block + part + q * plane_words, sum);
    }
  }
}

// Multiplies each value of a block by the value at the same position in the block `factors`.
template <class Words, std::uint32_t m>
NANDSCAPE_BCH_INLINE void multiply_block(std::uint64_t* block, const std::uint64_t* factors) {
  constexpr std::size_t words = sizeof(Words) / sizeof(std::uint64_t);
  for (std::size_t part = 0; part < plane_words; part += words) {
    Words a[m], b[m], product[m];
    load_planes(a, block + part);
    load_planes(b, factors + part);
    multiply_planes<Words, m>(product, a, b);
    NANDSCAPE_BCH_UNROLL
    for (std::uint32_t q = 0; q < m; ++q) store(block + part + q * plane_words, product[q]);
  }
}

// Performs one level of halving on `stride` polynomials whose coefficients are interleaved. Together the polynomials
// have `count` coefficients.
template <class Vectors, std::uint32_t m>
NANDSCAPE_BCH_INLINE void halve(std::uint16_t* coefficients, std::size_t count, std::size_t stride,
                                const std::uint16_t* twist, std::size_t twist_stride) {
  using Lanes = typename Vectors::Lanes;
  using SignedLanes = typename Vectors::SignedLanes;
  constexpr std::size_t lanes = sizeof(Lanes) / sizeof(std::uint16_t);
  for (std::size_t i = 0; i < count; i += lanes) {
    Lanes value, twisted = {};
    load(value, coefficients + i);
    NANDSCAPE_BCH_UNROLL
    for (std::uint32_t bit = 0; bit < m; ++bit) {
      Lanes multiple;
      load(multiple, twist + bit * twist_stride + i);
      const SignedLanes is_set = reinterpret_cast<SignedLanes>(value << (15 - bit)) >> 15;
      twisted ^= reinterpret_cast<Lanes>(is_set) & multiple;
    }
    store(coefficients + i, twisted);
  }
  // The Taylor expansion works on groups of four quarters with q coefficients each. Since x^(2q) = (x^2 + x)^q + x^q,
  // each of the upper two quarters is added to the quarter below it.
  for (std::size_t q = count / 4; q >= stride; q /= 2) {
    for (std::uint16_t* at = coefficients; at != coefficients + count; at += 4 * q) {
      for (std::size_t i = 0; i < q; ++i) {
        at[2 * q + i] ^= at[3 * q + i];
        at[q + i] ^= at[2 * q + i];
      }
    }
  }
}

// For each of the lowest six bits of a point's index, a word that selects the points whose index has that bit set.
inline constexpr std::uint64_t points_with_bit[6] = {0xaaaaaaaaaaaaaaaa, 0xcccccccccccccccc, 0xf0f0f0f0f0f0f0f0,
                                                     0xff00ff00ff00ff00, 0xffff0000ffff0000, 0xffffffff00000000};

// For each of the next three bits of a point's index, a mask that selects the words of a plane whose points have that
// bit set.
alignas(64) inline constexpr std::uint64_t words_with_bit[3][plane_words] = {{0, ~0ull, 0, ~0ull, 0, ~0ull, 0, ~0ull},
                                                                             {0, 0, ~0ull, ~0ull, 0, 0, ~0ull, ~0ull},
                                                                             {0, 0, 0, 0, ~0ull, ~0ull, ~0ull, ~0ull}};

// Evaluates an affine function of the index at all points of `blocks` blocks. The value is `constant`, plus slopes[j *
// stride] for each bit j that is set in the point's index. The result replaces the planes. If `added` is true, it is
// added to them instead.
template <class Vectors, std::uint32_t m, bool added>
NANDSCAPE_BCH_INLINE void evaluate_affine(std::uint64_t* planes, std::size_t blocks, std::uint16_t constant,
                                          const std::uint16_t* slopes, std::size_t stride) {
  using Words = typename Vectors::Words;
  constexpr std::size_t words = sizeof(Words) / sizeof(std::uint64_t);
  // For each plane, `first` is its first word, and `flips` contains the masks with which the next three bits of the
  // index invert its words.
  std::uint64_t first[16];
  std::uint64_t flips[3][16];
  for (std::uint32_t q = 0; q < 16; ++q) first[q] = -static_cast<std::uint64_t>(constant >> q & 1);
  for (std::size_t j = 0; j < 6; ++j) {
    const std::uint64_t slope = slopes[j * stride];
    for (std::uint32_t q = 0; q < 16; ++q) first[q] ^= -(slope >> q & 1) & points_with_bit[j];
  }
  for (std::size_t j = 0; j < 3; ++j) {
    const std::uint64_t slope = slopes[(6 + j) * stride];
    for (std::uint32_t q = 0; q < 16; ++q) flips[j][q] = -(slope >> q & 1);
  }
  std::uint64_t flipped = 0;  // bit q: whether the index of the block inverts plane q
  for (std::size_t block = 0; block < blocks; ++block, planes += m * plane_words) {
    // Only the bits 0 to countr_zero(block) of the block's index have changed since the previous block.
    for (std::size_t bit = 0; block != 0 && bit <= static_cast<std::size_t>(std::countr_zero(block)); ++bit) {
      flipped ^= slopes[(block_dimensions + bit) * stride];
    }
    for (std::uint32_t q = 0; q < m; ++q) {
      const std::uint64_t start = first[q] ^ -(flipped >> q & 1);
      for (std::size_t part = 0; part < plane_words; part += words) {
        Words value = {};
        if (added) load(value, planes + q * plane_words + part);
        value ^= start;
        for (std::size_t j = 0; j < 3; ++j) {
          Words with_bit;
          load(with_bit, words_with_bit[j] + part);
          value ^= with_bit & flips[j][q];
        }
        store(planes + q * plane_words + part, value);
      }
    }
  }
}

// For each polynomial, computes the amount by which b x + c x^2 changes if bit j of the point's index is set. This
// function is linear over GF(2), so the amount is the same at all points.
template <class Vectors, std::uint32_t m>
NANDSCAPE_BCH_INLINE void find_slopes(std::uint16_t* slopes, std::size_t stride, const RootSearchTables::Bottom& bottom,
                                      const std::uint16_t* b, const std::uint16_t* c, std::size_t polynomials) {
  using Lanes = typename Vectors::Lanes;
  using SignedLanes = typename Vectors::SignedLanes;
  constexpr std::size_t lanes = sizeof(Lanes) / sizeof(std::uint16_t);
  for (std::size_t i = 0; i < polynomials; i += lanes) {
    Lanes linear, quadratic;
    load(linear, b + i);
    load(quadratic, c + i);
    SignedLanes linear_bits[m], quadratic_bits[m];
    NANDSCAPE_BCH_UNROLL
    for (std::uint32_t bit = 0; bit < m; ++bit) {
      linear_bits[bit] = reinterpret_cast<SignedLanes>(linear << (15 - bit)) >> 15;
      quadratic_bits[bit] = reinterpret_cast<SignedLanes>(quadratic << (15 - bit)) >> 15;
    }
    for (std::size_t j = 0; j < bottom.basis.size(); ++j) {
      const RootSearchTables::BasisElement& element = bottom.basis[j];
      Lanes slope = {};
      NANDSCAPE_BCH_UNROLL
      for (std::uint32_t bit = 0; bit < m; ++bit) {
        slope ^= reinterpret_cast<Lanes>(linear_bits[bit]) & element.multiples[bit];
        slope ^= reinterpret_cast<Lanes>(quadratic_bits[bit]) & element.multiples_of_square[bit];
      }
      store(slopes + j * stride + i, slope);
    }
  }
}

// Returns the lowest `bits` bits of `number` in reverse order.
constexpr std::size_t reversed(std::size_t number, std::uint32_t bits) {
  std::size_t result = 0;
  for (std::uint32_t i = 0; i < bits; ++i) result |= (number >> i & 1) << (bits - 1 - i);
  return result;
}

// Evaluates the polynomial in scratch.locator at all points and stores the values in scratch.planes.
template <class Vectors, std::uint32_t m>
NANDSCAPE_BCH_INLINE void evaluate_everywhere(const RootSearchTables& tables, std::uint32_t degree,
                                              BchScratch& scratch) {
  using Words = typename Vectors::Words;
  constexpr std::size_t block_words = m * plane_words;
  const std::uint32_t levels = tables.levels_for(degree);
  const std::size_t polynomials = std::size_t{1} << levels;
  const std::size_t cubic_parts = (degree >> levels) / 3;

  std::uint16_t* const coefficients = scratch.coefficients.data();
  const std::size_t count = std::bit_ceil(std::size_t{degree} + 1);
  std::copy_n(scratch.locator.begin(), degree + 1, coefficients);
  std::fill(coefficients + degree + 1, coefficients + std::max(count, 3 * (cubic_parts + 1) * polynomials), 0);
  for (std::uint32_t level = 0; level < levels; ++level) {
    halve<Vectors, m>(coefficients, count, std::size_t{1} << level, tables.levels[level].twist.data(),
                      tables.twist_stride);
  }

  // The remaining polynomials are a + b x + c x^2 + x^3 (...), usually without the cubic part. In the planes, the two
  // halves of each polynomial of the level above are adjacent.
  const RootSearchTables::Bottom& bottom = tables.bottoms[levels];
  const std::size_t blocks = tables.blocks >> levels;
  for (std::size_t part = cubic_parts + 1; part-- > 0;) {
    const std::uint16_t* const a = coefficients + 3 * part * polynomials;
    find_slopes<Vectors, m>(scratch.slopes.data(), tables.slope_stride, bottom, a + polynomials, a + 2 * polynomials,
                            polynomials);
    for (std::size_t p = 0; p < polynomials; ++p) {
      std::uint64_t* const planes = scratch.planes.data() + reversed(p, levels) * blocks * block_words;
      const std::uint16_t* const slopes = scratch.slopes.data() + p;
      if (part == cubic_parts) {
        evaluate_affine<Vectors, m, false>(planes, blocks, a[p], slopes, tables.slope_stride);
        continue;
      }
      for (std::size_t block = 0; block < blocks; ++block) {
        multiply_block<Words, m>(planes + block * block_words, bottom.cubes.data() + block * block_words);
      }
      evaluate_affine<Vectors, m, true>(planes, blocks, a[p], slopes, tables.slope_stride);
    }
  }

  for (std::uint32_t level = levels; level-- > 0;) {
    const std::size_t half = tables.blocks >> (level + 1);
    for (std::size_t first = 0; first < tables.blocks; first += 2 * half) {
      std::uint64_t* const u = scratch.planes.data() + first * block_words;
      for (std::size_t block = 0; block < half; ++block) {
        combine_blocks<Words, m>(u + block * block_words, u + (half + block) * block_words,
                                 tables.levels[level].points.data() + block * block_words);
      }
    }
  }
}

template <class Vectors, std::uint32_t m>
NANDSCAPE_BCH_INLINE std::uint32_t roots(const RootSearchTables& tables, std::uint32_t degree, BchScratch& scratch) {
  using Words = typename Vectors::Words;
  constexpr std::size_t words = sizeof(Words) / sizeof(std::uint64_t);
  evaluate_everywhere<Vectors, m>(tables, degree, scratch);

  // Sets the bit of each point at which all planes are 0.
  std::uint64_t* const zeros = scratch.zeros.data();
  for (std::size_t block = 0; block < tables.blocks; ++block) {
    for (std::size_t part = 0; part < plane_words; part += words) {
      const std::uint64_t* const planes = scratch.planes.data() + block * m * plane_words + part;
      Words any = {};
      NANDSCAPE_BCH_UNROLL
      for (std::uint32_t q = 0; q < m; ++q) {
        Words plane;
        load(plane, planes + q * plane_words);
        any |= plane;
      }
      any = ~any;
      store(zeros + block * plane_words + part, any);
    }
  }
  // If the field has fewer elements than a block has points, the points are repeated, and the repetitions are ignored.
  constexpr std::size_t points = std::size_t{1} << m;
  if (points < 64) zeros[0] &= (std::uint64_t{1} << points % 64) - 1;

  // Collects the words that contain roots without a branch, since roots occur in random words and the branch would
  // often be mispredicted.
  std::size_t found = 0;
  for (std::size_t w = 0; w < (points + 63) / 64; ++w) {
    scratch.words_with_zeros[found] = static_cast<std::uint16_t>(w);
    found += zeros[w] != 0;
  }
  std::uint32_t count = 0;
  for (std::size_t i = 0; i < found; ++i) {
    const std::size_t w = scratch.words_with_zeros[i];
    for (std::uint64_t left = zeros[w]; left != 0; left &= left - 1) {
      scratch.roots[count++] = static_cast<std::uint16_t>(w * 64 + static_cast<std::size_t>(std::countr_zero(left)));
    }
  }
  return count;
}

}  // namespace nandscape::ecc::bch_kernel_code

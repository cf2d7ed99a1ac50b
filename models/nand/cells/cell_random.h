// SPDX-License-Identifier: Apache-2.0
// Random numbers for cells. A random number is a function of a key, a stream and the index of the cell, so there is no
// generator state. Any cell can be drawn separately, in any order, and repeatedly. All functions consist of branch-free
// 32-bit arithmetic, which compilers can vectorise. They give the same bits on every instruction set if the compiler
// does not contract operations to fused multiply-adds.
#pragma once

#include <bit>
#include <cmath>
#include <cstdint>

#include "core/random.h"

// Kernels are compiled for several instruction sets, so the functions that they call must be inlined.
#if defined(__GNUC__)
#define NANDSCAPE_ALWAYS_INLINE [[gnu::always_inline]] inline
#else
#define NANDSCAPE_ALWAYS_INLINE inline
#endif

namespace nandscape::nand {

// Returns the key for the cells of one wordline of a die. It differs after each erase.
constexpr std::uint64_t cell_key(std::uint64_t die_seed, std::uint64_t wordline, std::uint64_t erases) {
  return mix64(die_seed ^ mix64(wordline + 1) ^ mix64(~erases));
}

// Yields 32 random bits for each cell. The index of the cell is multiplied by the golden ratio, which distributes the
// indices over the range of a word. Then two rounds of multiplication and xorshift mix the bits [lowbias32; Wellons
// 2018]. Without the first multiplication, pairs of cells with a distance of 256 would fail a chi-square test. The key
// is added before the first round and between the rounds, so that the streams are not shifted copies of one another.
class CellStream {
 public:
  constexpr CellStream(std::uint64_t key, std::uint32_t stream) : CellStream(mix64(key ^ mix64(stream))) {}

  NANDSCAPE_ALWAYS_INLINE constexpr std::uint32_t bits(std::uint32_t cell) const { return mix(cell * golden_ratio); }

  // bits(cell) equals mix(cell * golden_ratio). A loop over cells can add golden_ratio for each cell and call mix()
  // directly, which saves the multiplication.
  static constexpr std::uint32_t golden_ratio = 0x9e3779b9;
  NANDSCAPE_ALWAYS_INLINE constexpr std::uint32_t mix(std::uint32_t multiple) const {
    std::uint32_t x = multiple + start_;
    x = (x ^ (x >> 16)) * 0x21f0aaad;
    x = (x ^ (x >> 15) ^ between_) * 0xd35a2d97;
    return x ^ (x >> 15);
  }

 private:
  constexpr explicit CellStream(std::uint64_t word)
      : start_(static_cast<std::uint32_t>(word)), between_(static_cast<std::uint32_t>(word >> 32)) {}

  std::uint32_t start_;
  std::uint32_t between_;
};

// Returns `magnitude` with its sign inverted if the highest bit of `bits` is set.
NANDSCAPE_ALWAYS_INLINE float flip_sign(float magnitude, std::uint32_t bits) {
  return std::bit_cast<float>(std::bit_cast<std::uint32_t>(magnitude) ^ (bits & 0x80000000));
}

// Returns -ln(x / 2^scale) for a normal float x, 0 < x <= 2^scale, with a relative error below 4e-7. The function
// splits x into 2^e m with sqrt(1/2) <= m < sqrt(2) and evaluates a minimax polynomial of m - 1.
template <int scale = 0>
NANDSCAPE_ALWAYS_INLINE float negative_log(float x) {
  constexpr std::uint32_t root_half = 0x3f3504f3;
  const std::uint32_t word = std::bit_cast<std::uint32_t>(x) - (root_half + (static_cast<std::uint32_t>(scale) << 23));
  const float exponent = static_cast<float>(static_cast<std::int32_t>(word) >> 23);
  const float f = std::bit_cast<float>((word & 0x007fffff) + root_half) - 1.0f;
  float p = -0.10082383f;
  p = p * f + 0.16180506f;
  p = p * f - 0.17243226f;
  p = p * f + 0.19906883f;
  p = p * f - 0.24971229f;
  p = p * f + 0.33334714f;
  p = p * f - 0.50000322f;
  return exponent * -0.69314718f - (f + f * f * p);
}

// Returns an exponential deviate of mean 1. It is -ln(u), where u is the middle of one of 2^31 equal parts of (0, 1).
// The highest bit of `bits` is not used, so the caller can use it as a sign.
NANDSCAPE_ALWAYS_INLINE float exponential_from_bits(std::uint32_t bits) {
  return negative_log<31>(static_cast<float>(static_cast<std::int32_t>(bits & 0x7fffffff)) + 0.5f);
}

// Returns the magnitude that a standard normal deviate exceeds with probability q, 2^-33 <= q <= 1. This is sqrt(2)
// erfcinv(q), computed with a relative error below 1e-6 by a rational minimax approximation in the variable of [Giles
// 2010].
NANDSCAPE_ALWAYS_INLINE float half_normal_quantile(float q) {
  const float w = negative_log(q * (2.0f - q));
  float p = 2.88287025e-05f;
  p = p * w + 0.00101961871f;
  p = p * w + 0.0120518198f;
  p = p * w + 0.0908470899f;
  p = p * w + 0.455620378f;
  p = p * w + 1.25331426f;
  float d = 9.80298068e-07f;
  d = d * w + 0.000169686915f;
  d = d * w + 0.00235452456f;
  d = d * w + 0.0328061767f;
  d = d * w + 0.101736389f;
  d = d * w + 1.0f;
  return (1.0f - q) * (p / d);
}

// Returns a deviate with the density exp(-|x|) / 2.
NANDSCAPE_ALWAYS_INLINE float laplace_from_bits(std::uint32_t bits) {
  return flip_sign(exponential_from_bits(bits), bits);
}

// Computes two independent standard normal deviates with the method of [Box, Muller 1958]. Their magnitude is at most
// 6.6. The angle is drawn from half a turn, and a random sign extends it to the full turn.
struct NormalPair {
  float first;
  float second;
};
NANDSCAPE_ALWAYS_INLINE NormalPair normal_pair_from_bits(std::uint32_t radius_bits, std::uint32_t angle_bits) {
  const float radius = flip_sign(std::sqrt(exponential_from_bits(radius_bits)), radius_bits);
  const float x = static_cast<float>(static_cast<std::int32_t>(angle_bits)) * 0x1p-32f;
  const float y = x * x;
  // Polynomials for sqrt(2) sin(pi x) / x and sqrt(2) cos(pi x), |x| <= 1/2. The errors of the deviates are below 1e-6
  // of the radius.
  float s = -0.78437394f;
  s = s * y + 3.5947881f;
  s = s * y - 7.3074436f;
  s = s * y + 4.4428678f;
  float c = 0.31069845f;
  c = c * y - 1.8835632f;
  c = c * y + 5.7394614f;
  c = c * y - 6.9788508f;
  c = c * y + 1.4142135f;
  return {radius * c, radius * (s * x)};
}

}  // namespace nandscape::nand

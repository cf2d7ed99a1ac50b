// SPDX-License-Identifier: Apache-2.0
// Random numbers of cells. A draw is a function of a key, a stream and the index of the cell, not of a state that moves
// on: any cell can be drawn alone, in any order, and again. Everything here is branch-free arithmetic on 32 bits that
// compilers vectorise, and without contraction to fused operations it gives the same bits on every instruction set.
#pragma once

#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>

#include "core/random.h"

// Kernels are compiled for several instruction sets, which what they call must become part of.
#if defined(__GNUC__)
#define NANDSCAPE_ALWAYS_INLINE [[gnu::always_inline]] inline
#else
#define NANDSCAPE_ALWAYS_INLINE inline
#endif

namespace nandscape {

// The key of the cells of one wordline (of a die) between two erases.
constexpr std::uint64_t cell_key(std::uint64_t seed, std::uint64_t die, std::uint64_t wordline,
                                 std::uint64_t erase_count) {
  return mix64(mix64(mix64(mix64(seed) ^ die) ^ wordline) ^ erase_count);
}

// 32 random bits for each cell. Two rounds of multiply and xorshift [lowbias32; Wellons 2018], into which the key goes
// at the start and between the rounds, so that streams are not shifted copies of one another.
class CellStream {
 public:
  constexpr CellStream(std::uint64_t key, std::uint32_t stream) : CellStream(mix64(key ^ mix64(stream))) {}

  NANDSCAPE_ALWAYS_INLINE constexpr std::uint32_t bits(std::uint32_t cell) const {
    std::uint32_t x = cell + start_;
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

// The middle of one of 2^32 equal parts of (0, 1), rounded to float: from 2^-33 to 1, with full precision near 0.
// Of `~bits` it is the complement, with full precision near 1.
NANDSCAPE_ALWAYS_INLINE float uniform_from_bits(std::uint32_t bits) {
  return (static_cast<float>(bits) + 0.5f) * 0x1p-32f;
}

// The same of 2^31 parts: for draws that have a sign too, and cheaper where only signed integers convert to float.
NANDSCAPE_ALWAYS_INLINE float uniform_from_31_bits(std::uint32_t bits) {
  return (static_cast<float>(static_cast<std::int32_t>(bits)) + 0.5f) * 0x1p-31f;
}

// `magnitude` with the sign in the highest bit of `bits` flipped into it.
NANDSCAPE_ALWAYS_INLINE float flip_sign(float magnitude, std::uint32_t bits) {
  return std::bit_cast<float>(std::bit_cast<std::uint32_t>(magnitude) ^ (bits & 0x80000000));
}

// -ln(u) for a normal float 0 < u <= 1, relative error below 2e-7. u = 2^e m with sqrt(1/2) <= m < sqrt(2), and a
// minimax polynomial of m - 1.
NANDSCAPE_ALWAYS_INLINE float negative_log(float u) {
  const std::uint32_t word = std::bit_cast<std::uint32_t>(u);
  const std::uint32_t above_root_half = word - 0x3f3504f3;
  const float exponent = static_cast<float>(static_cast<std::int32_t>(above_root_half) >> 23);
  const float f = std::bit_cast<float>(word - (above_root_half & 0xff800000)) - 1.0f;
  float p = 0.087348409f;
  p = p * f - 0.14307526f;
  p = p * f + 0.14917976f;
  p = p * f - 0.16570508f;
  p = p * f + 0.19962072f;
  p = p * f - 0.25001755f;
  p = p * f + 0.33333951f;
  p = p * f - 0.49999991f;
  return exponent * -0.69314718f - (f + f * f * p);
}

// The magnitude that a standard normal deviate exceeds with probability q, 2^-33 <= q <= 1: sqrt(2) erfcinv(q),
// relative error below 1e-6. A rational minimax approximation in the variable of [Giles 2010].
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

// A standard normal deviate by inversion: from -6.3 to 6.3.
NANDSCAPE_ALWAYS_INLINE float normal_from_bits(std::uint32_t bits) {
  return flip_sign(half_normal_quantile(uniform_from_31_bits(bits & 0x7fffffff)), bits);
}

// A deviate of density exp(-|x|) / 2.
NANDSCAPE_ALWAYS_INLINE float laplace_from_bits(std::uint32_t bits) {
  return flip_sign(negative_log(uniform_from_31_bits(bits & 0x7fffffff)), bits);
}

// Two independent standard normal deviates [Box, Muller 1958], up to 6.6. The angle covers half a turn, a sign the
// rest.
struct NormalPair {
  float first;
  float second;
};
NANDSCAPE_ALWAYS_INLINE NormalPair normal_pair_from_bits(std::uint32_t radius_bits, std::uint32_t angle_bits) {
  const float negative_log_u = negative_log(uniform_from_31_bits(radius_bits & 0x7fffffff));
  const float radius = flip_sign(std::sqrt(negative_log_u + negative_log_u), radius_bits);
  const float x = static_cast<float>(static_cast<std::int32_t>(angle_bits)) * 0x1p-32f;
  const float y = x * x;
  // sin(pi x) and cos(pi x) for |x| <= 1/2, absolute errors below 2e-7.
  float s = 0.077220127f;
  s = s * y - 0.59804517f;
  s = s * y + 2.5500314f;
  s = s * y - 5.1677069f;
  s = s * y + 3.1415925f;
  float c = 0.21969716f;
  c = c * y - 1.3318803f;
  c = c * y + 4.0584121f;
  c = c * y - 4.934793f;
  c = c * y + 0.99999994f;
  return {radius * c, radius * (s * x)};
}

}  // namespace nandscape

// SPDX-License-Identifier: Apache-2.0
// Berlekamp's algorithm for binary codes, as formulated by Massey: finds the shortest feedback shift register Lambda(x)
// that generates the syndromes [Lin and Costello, 6.3]. For a binary code the discrepancies at S_2, S_4, ... are always
// 0, so the algorithm advances two steps at a time.
//
// With S(x) = S_1 + S_2 x + ..., the discrepancy at S_l is the coefficient of x^(l-1) in S(x) Lambda(x). That product
// is updated along with Lambda by the same linear combination, rather than recomputed for each discrepancy.
#pragma once

#include <algorithm>

#include "ecc/bch/galois_field.h"
#include "ecc/bch/scratch.h"
#include "ecc/bch/vectors.h"

namespace nandscape::ecc::bch_kernel_code {

// Computes out = a + constant * b in GF(2^m) for `count` elements, rounded up to whole vectors. multiples[i] must
// contain constant * x^i.
template <class Vectors, std::uint32_t m>
NANDSCAPE_BCH_INLINE void add_product(std::uint16_t* out, const std::uint16_t* a, const std::uint16_t* b,
                                      const std::uint16_t* multiples, std::size_t count) {
  using Lanes = typename Vectors::Lanes;
  using SignedLanes = typename Vectors::SignedLanes;
  constexpr std::size_t lanes = sizeof(Lanes) / sizeof(std::uint16_t);
  for (std::size_t i = 0; i < count; i += lanes) {
    Lanes sum, factor;
    load(sum, a + i);
    load(factor, b + i);
    NANDSCAPE_BCH_UNROLL
    for (std::uint32_t bit = 0; bit < m; ++bit) {
      const SignedLanes is_set = reinterpret_cast<SignedLanes>(factor << (15 - bit)) >> 15;
      sum ^= reinterpret_cast<Lanes>(is_set) & multiples[bit];
    }
    store(out + i, sum);
  }
}

template <class Vectors, std::uint32_t m>
NANDSCAPE_BCH_INLINE std::uint32_t error_locator(const GaloisField& field, std::uint32_t correctable_bits,
                                                 BchScratch& scratch) {
  const std::uint16_t* const logarithms = field.logarithms();
  const std::size_t count = 2 * std::size_t{correctable_bits};  // number of syndromes
  BchScratch::Connection* now = &scratch.connections[0];
  BchScratch::Connection* before = &scratch.connections[1];  // the connection before the last change of the length
  BchScratch::Connection* next = &scratch.connections[2];
  for (BchScratch::Connection& connection : scratch.connections) {
    std::fill(connection.polynomial.begin(), connection.polynomial.end(), 0);
  }
  now->polynomial[0] = before->polynomial[0] = 1;
  std::copy(scratch.syndromes.begin(), scratch.syndromes.end(), now->product.begin());
  std::copy(scratch.syndromes.begin(), scratch.syndromes.end(), before->product.begin());

  std::uint32_t length = 0;
  std::uint32_t length_before = 0;
  std::uint32_t logarithm_before = 0;  // logarithm of the discrepancy at the last change of the length
  std::size_t shift = 1;               // steps since that change
  for (std::size_t step = 0; step < count; step += 2, shift += 2) {
    const std::uint16_t discrepancy = now->product[step];
    if (discrepancy == 0) continue;
    const bool longer = 2 * length <= step;
    const std::uint32_t new_length = longer ? static_cast<std::uint32_t>(step) + 1 - length : length;
    if (new_length > correctable_bits) return new_length;

    // Computes Lambda - discrepancy / discrepancy_before * x^shift * Lambda_before.
    std::uint32_t logarithm = logarithms[discrepancy] + field.order() - logarithm_before;
    const std::uint16_t* const multiples =
        field.powers() + (logarithm >= field.order() ? logarithm - field.order() : logarithm);
    BchScratch::Connection* const out = longer ? next : now;
    if (longer) std::copy_n(now->polynomial.begin(), shift, out->polynomial.begin());
    add_product<Vectors, m>(&out->polynomial[shift], &now->polynomial[shift], before->polynomial.data(), multiples,
                            length_before + 1);
    const std::size_t from = step + 2;
    if (from < count) {
      add_product<Vectors, m>(&out->product[from], &now->product[from], &before->product[from - shift], multiples,
                              count - from);
    }
    if (longer) {
      next = before;
      before = now;
      now = out;
      length_before = length;
      length = new_length;
      logarithm_before = logarithms[discrepancy];
      shift = 0;
    }
  }
  std::copy_n(now->polynomial.begin(), length + 1, scratch.locator.begin());
  return length;
}

}  // namespace nandscape::ecc::bch_kernel_code

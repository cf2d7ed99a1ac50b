// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <bit>
#include <cstring>

#include "ecc/bch/remainder_tables.h"

#if defined(__x86_64__) && defined(__GNUC__)
#include <immintrin.h>
#endif

namespace nandscape::ecc::bch_kernel_code {

static_assert(std::endian::native == std::endian::little, "bits of bytes continue in words");

// Computes the remainder byte by byte. This version runs on any processor.
inline void remainder_by_bytes(const RemainderTables& tables, const std::byte* payload, std::size_t payload_bytes,
                               std::uint64_t* remainder) {
  const std::size_t words = tables.words;
  std::fill_n(remainder, words, 0);
  for (std::size_t i = 0; i < payload_bytes; ++i) {
    const std::uint64_t leaving = (remainder[0] ^ std::to_integer<std::uint64_t>(payload[i])) & 0xff;
    const std::uint64_t* const row = &tables.byte_rows[leaving * words];
    for (std::size_t w = 0; w + 1 < words; ++w) remainder[w] = (remainder[w] >> 8 | remainder[w + 1] << 56) ^ row[w];
    remainder[words - 1] = remainder[words - 1] >> 8 ^ row[words - 1];
  }
}

#if defined(__x86_64__) && defined(__GNUC__)

// Multiplies the words [first, last) of the window by eight words of their rows and adds up the products. Each product
// is two words long, so there is one sum for the products with even words of a row and another for the products with
// odd words.
struct FoldBy128 {
  [[gnu::target("pclmul,sse4.1")]] static void sum(const std::uint64_t* rows, std::size_t row_words,
                                                   const std::uint64_t* window, std::size_t first, std::size_t last,
                                                   std::uint64_t* even, std::uint64_t* odd) {
    __m128i even_sum[4] = {}, odd_sum[4] = {};
    for (std::size_t i = first; i < last; ++i) {
      const __m128i word = _mm_loadl_epi64(reinterpret_cast<const __m128i*>(window + i));
      const __m128i* const row = reinterpret_cast<const __m128i*>(rows + i * row_words);
      for (std::size_t part = 0; part < 4; ++part) {
        even_sum[part] = _mm_xor_si128(even_sum[part], _mm_clmulepi64_si128(row[part], word, 0x00));
        odd_sum[part] = _mm_xor_si128(odd_sum[part], _mm_clmulepi64_si128(row[part], word, 0x01));
      }
    }
    std::memcpy(even, even_sum, sizeof even_sum);
    std::memcpy(odd, odd_sum, sizeof odd_sum);
  }
};

struct FoldBy512 {
  [[gnu::target("vpclmulqdq,avx512f")]] static void sum(const std::uint64_t* rows, std::size_t row_words,
                                                        const std::uint64_t* window, std::size_t first,
                                                        std::size_t last, std::uint64_t* even, std::uint64_t* odd) {
    __m512i even_sum = _mm512_setzero_si512(), odd_sum = _mm512_setzero_si512();
    for (std::size_t i = first; i < last; ++i) {
      const __m512i word = _mm512_set1_epi64(static_cast<long long>(window[i]));
      const __m512i row = _mm512_load_si512(rows + i * row_words);
      even_sum = _mm512_xor_si512(even_sum, _mm512_clmulepi64_epi128(row, word, 0x00));
      odd_sum = _mm512_xor_si512(odd_sum, _mm512_clmulepi64_epi128(row, word, 0x01));
    }
    _mm512_storeu_si512(even, even_sum);
    _mm512_storeu_si512(odd, odd_sum);
  }
};

// Divides the sum by y^64. Computes the remainder as (sum + q h) / y^64, where q is chosen so that the division is
// exact. The degree of the result is less than that of h.
[[gnu::target("pclmul,sse4.1")]] inline void divide_by_word(const RemainderTables& tables, const std::uint64_t* sum,
                                                            std::uint64_t* remainder) {
  const __m128i factors = _mm_set_epi64x(static_cast<long long>(tables.inverse), static_cast<long long>(sum[0]));
  const __m128i q = _mm_clmulepi64_si128(factors, factors, 0x10);
  __m128i product = _mm_clmulepi64_si128(q, _mm_cvtsi64_si128(static_cast<long long>(tables.reciprocal[0])), 0x00);
  for (std::size_t w = 0; w < tables.words; ++w) {
    const std::uint64_t carried = static_cast<std::uint64_t>(_mm_extract_epi64(product, 1));
    product = _mm_clmulepi64_si128(q, _mm_cvtsi64_si128(static_cast<long long>(tables.reciprocal[w + 1])), 0x00);
    remainder[w] = sum[w + 1] ^ carried ^ static_cast<std::uint64_t>(_mm_cvtsi128_si64(product));
  }
}

// Computes the remainder by carry-less multiplication. Each step processes a stretch of fold_words words of the
// payload.
//
// `sum` is y^64 times the remainder of the words processed so far, and is not fully reduced. The window is therefore
// one word longer than a stretch, and its first word contains only a part of the sum. All words of the window except
// the last one are multiplied by their rows of fold_rows. The last word is added without a multiplication, because it
// is already at the right position.
template <class Fold>
void remainder_by_folding(const RemainderTables& tables, const std::byte* payload, std::size_t payload_bytes,
                          std::uint64_t* remainder) {
  constexpr std::size_t max_words = max_remainder_words + 16;
  const std::size_t stretch_bytes = tables.fold_words * 8;
  alignas(64) std::uint64_t window[max_words + 1] = {};
  alignas(64) std::uint64_t sum[max_words] = {};

  // If the payload is not a multiple of a stretch, the first stretch contains the excess words, preceded by zeros.
  std::size_t taken = (payload_bytes - 1) % stretch_bytes + 1;
  std::size_t first = (stretch_bytes - taken) / 8 + 1;
  for (const std::byte* const end = payload + payload_bytes; payload != end; first = 0) {
    std::memcpy(reinterpret_cast<std::byte*>(window + 1) + stretch_bytes - taken, payload, taken);
    payload += taken;
    taken = stretch_bytes;
    for (std::size_t w = 0; w <= tables.words; ++w) window[w] ^= sum[w];

    std::uint64_t carried = 0;
    for (std::size_t column = 0; column < tables.words; column += 8) {
      std::uint64_t even[8], odd[8];
      Fold::sum(tables.fold_rows.data() + column, tables.row_words, window, first, tables.fold_words, even, odd);
      sum[column] = even[0] ^ carried;
      for (std::size_t w = 1; w < 8; ++w) sum[column + w] = even[w] ^ odd[w - 1];
      carried = odd[7];
    }
    sum[(tables.words + 7) / 8 * 8] = carried;
    sum[0] ^= window[tables.fold_words];
    window[0] = 0;
  }
  divide_by_word(tables, sum, remainder);
}

#endif

}  // namespace nandscape::ecc::bch_kernel_code

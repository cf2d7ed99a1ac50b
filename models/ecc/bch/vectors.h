// SPDX-License-Identifier: Apache-2.0
// Vector types with the width of each instruction set. They use the vector extensions that GCC and Clang both support.
#pragma once

#include <cstdint>
#include <cstring>

// Kernels are compiled for several instruction sets, so the functions that they call must be inlined.
#define NANDSCAPE_BCH_INLINE [[gnu::always_inline]] inline

// Unrolls a loop over the bits of elements, so that the loop's arrays stay in registers. Code that is instrumented by
// the address sanitizer is not unrolled, because it would become too large.
#if defined(__SANITIZE_ADDRESS__)
#define NANDSCAPE_BCH_UNROLL
#else
#define NANDSCAPE_BCH_UNROLL _Pragma("GCC unroll 16")
#endif

namespace nandscape::ecc {

struct Vectors128 {
  using Words [[gnu::vector_size(16)]] = std::uint64_t;
  using Lanes [[gnu::vector_size(16)]] = std::uint16_t;
  using SignedLanes [[gnu::vector_size(16)]] = std::int16_t;
};
struct Vectors256 {
  using Words [[gnu::vector_size(32)]] = std::uint64_t;
  using Lanes [[gnu::vector_size(32)]] = std::uint16_t;
  using SignedLanes [[gnu::vector_size(32)]] = std::int16_t;
};
struct Vectors512 {
  using Words [[gnu::vector_size(64)]] = std::uint64_t;
  using Lanes [[gnu::vector_size(64)]] = std::uint16_t;
  using SignedLanes [[gnu::vector_size(64)]] = std::int16_t;
};

template <class Vector, class Element>
NANDSCAPE_BCH_INLINE void load(Vector& vector, const Element* from) {
  std::memcpy(&vector, from, sizeof vector);
}

template <class Vector, class Element>
NANDSCAPE_BCH_INLINE void store(Element* to, const Vector& vector) {
  std::memcpy(to, &vector, sizeof vector);
}

}  // namespace nandscape::ecc

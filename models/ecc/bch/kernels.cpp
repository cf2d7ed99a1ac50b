// SPDX-License-Identifier: Apache-2.0
#include "ecc/bch/kernels.h"

#include <utility>
#include <vector>

#include "ecc/bch/berlekamp_massey_impl.h"
#include "ecc/bch/remainder_impl.h"
#include "ecc/bch/root_search_impl.h"
#include "ecc/bch/syndromes_impl.h"

namespace nandscape::ecc {

namespace {

// NOLINTBEGIN(bugprone-macro-parentheses): names and attributes cannot be enclosed in parentheses.
// Defines, in the namespace ISA, the kernels as functions that are compiled for TARGET with VECTORS, and a function
// kernels() that lists them.
#define KERNELS_FOR(ISA, TARGET, VECTORS)                                                                             \
  namespace ISA {                                                                                                     \
  TARGET void odd_syndromes(const SyndromeTables& tables, const std::uint64_t* remainder, std::uint16_t* syndromes) { \
    bch_kernel_code::odd_syndromes<VECTORS>(tables, remainder, syndromes);                                            \
  }                                                                                                                   \
  template <std::uint32_t m>                                                                                          \
  TARGET std::uint32_t error_locator(const GaloisField& field, std::uint32_t correctable_bits, BchScratch& scratch) { \
    return bch_kernel_code::error_locator<VECTORS, m>(field, correctable_bits, scratch);                              \
  }                                                                                                                   \
  template <std::uint32_t m>                                                                                          \
  TARGET std::uint32_t roots(const RootSearchTables& tables, std::uint32_t degree, BchScratch& scratch) {             \
    return bch_kernel_code::roots<VECTORS, m>(tables, degree, scratch);                                               \
  }                                                                                                                   \
  template <std::uint32_t... i>                                                                                       \
  BchKernels kernels(std::string_view name, BchKernels::Remainder* remainder,                                         \
                     std::integer_sequence<std::uint32_t, i...>) {                                                    \
    return {name,                                                                                                     \
            remainder,                                                                                                \
            odd_syndromes,                                                                                            \
            {error_locator<least_code_field_degree + i>...},                                                          \
            {roots<least_code_field_degree + i>...}};                                                                 \
  }                                                                                                                   \
  }

// NOLINTEND(bugprone-macro-parentheses)
KERNELS_FOR(portable, , Vectors128)
#if defined(__x86_64__) && defined(__GNUC__) && !defined(__clang__)
KERNELS_FOR(avx2, [[gnu::target("arch=x86-64-v3")]], Vectors256)
KERNELS_FOR(avx512, [[gnu::target("arch=x86-64-v4")]], Vectors512)
#endif

std::vector<BchKernels> kernels_of_this_machine() {
  using namespace bch_kernel_code;
  constexpr std::make_integer_sequence<std::uint32_t, max_field_degree - least_code_field_degree + 1> degrees;
  std::vector<BchKernels> kernels = {portable::kernels("portable", remainder_by_bytes, degrees)};
#if defined(__x86_64__) && defined(__GNUC__) && !defined(__clang__)
  if (!__builtin_cpu_supports("pclmul")) return kernels;
  if (__builtin_cpu_supports("x86-64-v3")) {
    kernels.push_back(avx2::kernels("avx2", remainder_by_folding<FoldBy128>, degrees));
  }
  if (__builtin_cpu_supports("x86-64-v4")) {
    kernels.push_back(avx512::kernels("avx512", remainder_by_folding<FoldBy128>, degrees));
    if (__builtin_cpu_supports("vpclmulqdq")) {
      kernels.push_back(avx512::kernels("avx512_vpclmulqdq", remainder_by_folding<FoldBy512>, degrees));
    }
  }
#endif
  return kernels;
}

}  // namespace

std::span<const BchKernels> bch_kernels() {
  static const std::vector<BchKernels> kernels = kernels_of_this_machine();
  return kernels;
}

}  // namespace nandscape::ecc

// SPDX-License-Identifier: Apache-2.0
// The steps of a BCH decoder that take its time, compiled for each instruction set. Results are the same bits on all of
// them.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

#include "ecc/bch/galois_field.h"
#include "ecc/bch/remainder_tables.h"
#include "ecc/bch/root_search_tables.h"
#include "ecc/bch/scratch.h"
#include "ecc/bch/syndrome_tables.h"

namespace nandscape::ecc {

inline constexpr std::uint32_t least_code_field_degree = 5;

struct BchKernels {
  // The parity of a payload, which is the remainder of its division by the generator.
  using Remainder = void(const RemainderTables& tables, const std::byte* payload, std::size_t payload_bytes,
                         std::uint64_t* remainder);

  // S_1, S_3, ... of a remainder; `syndromes` has room for whole groups.
  using OddSyndromes = void(const SyndromeTables& tables, const std::uint64_t* remainder, std::uint16_t* syndromes);

  // The error locator polynomial of least degree for the syndromes in scratch, or a degree above `correctable_bits`
  // when that one's is. Coefficients at scratch.locator.
  using ErrorLocator = std::uint32_t(const GaloisField& field, std::uint32_t correctable_bits, BchScratch& scratch);

  // The elements at which the polynomial at scratch.locator, not zero at 0, is zero: at scratch.roots, at most
  // `degree`.
  using Roots = std::uint32_t(const RootSearchTables& tables, std::uint32_t degree, BchScratch& scratch);

  std::string_view isa;
  Remainder* remainder;
  OddSyndromes* odd_syndromes;
  // By degree of the field, from least_code_field_degree on.
  std::array<ErrorLocator*, max_field_degree - least_code_field_degree + 1> error_locator;
  std::array<Roots*, max_field_degree - least_code_field_degree + 1> roots;
};

// Those that this machine can run, the fastest last.
std::span<const BchKernels> bch_kernels();

}  // namespace nandscape::ecc

// SPDX-License-Identifier: Apache-2.0
// The time-critical steps of a BCH decoder. Each is compiled for several instruction sets, and all versions give
// bit-identical results.
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
  // Computes the parity of a payload, which is the remainder after the division by the generator.
  using Remainder = void(const RemainderTables& tables, const std::byte* payload, std::size_t payload_bytes,
                         std::uint64_t* remainder);

  // Computes the syndromes S_1, S_3, ... from a remainder. `syndromes` must have room for whole groups (see
  // SyndromeTables).
  using OddSyndromes = void(const SyndromeTables& tables, const std::uint64_t* remainder, std::uint16_t* syndromes);

  // Finds the error locator polynomial of lowest degree for the syndromes in the scratch memory. Returns its degree and
  // stores its coefficients in scratch.locator. If the degree exceeds `correctable_bits`, the coefficients are not
  // stored.
  using ErrorLocator = std::uint32_t(const GaloisField& field, std::uint32_t correctable_bits, BchScratch& scratch);

  // Finds the roots of the polynomial in scratch.locator, whose constant term must not be 0. Stores at most `degree`
  // roots in scratch.roots and returns their number.
  using Roots = std::uint32_t(const RootSearchTables& tables, std::uint32_t degree, BchScratch& scratch);

  std::string_view isa;
  Remainder* remainder;
  OddSyndromes* odd_syndromes;
  // One kernel for each degree of the field, beginning with least_code_field_degree.
  std::array<ErrorLocator*, max_field_degree - least_code_field_degree + 1> error_locator;
  std::array<Roots*, max_field_degree - least_code_field_degree + 1> roots;
};

// Returns the kernels for all instruction sets that this machine supports. The fastest is the last.
std::span<const BchKernels> bch_kernels();

}  // namespace nandscape::ecc

// SPDX-License-Identifier: Apache-2.0
#include "ecc/bch/scratch.h"

#include "ecc/bch/syndrome_tables.h"

namespace nandscape::ecc {

BchScratch::BchScratch(std::uint32_t field_degree, std::uint32_t correctable_bits, std::size_t remainder_words,
                       const RootSearchTables& root_search)
    : remainder(remainder_words),
      odd_syndromes(correctable_bits + SyndromeTables::group_lanes),
      syndromes(2 * correctable_bits),
      locator(correctable_bits + 1),
      // There is room for three more coefficients of each polynomial after halving, because the root search reads the
      // coefficients in groups of three.
      coefficients(root_search.max_coefficients + 3 * root_search.slope_stride + spare_lanes),
      slopes(root_search.dimensions * root_search.slope_stride),
      planes(root_search.blocks * field_degree * plane_words),
      zeros(root_search.blocks * plane_words),
      words_with_zeros(zeros.size()),
      roots(correctable_bits) {
  for (Connection& connection : connections) {
    connection.polynomial.resize(correctable_bits + 1 + spare_lanes);
    connection.product.resize(2 * correctable_bits + spare_lanes);
  }
}

}  // namespace nandscape::ecc

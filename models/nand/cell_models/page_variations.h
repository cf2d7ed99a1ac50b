// SPDX-License-Identifier: Apache-2.0
// Computes by how much each wordline of a die deviates from the median wordline of the device (see cells/variation.h).
// The random parts are derived from the seed and the address, so nothing needs to be stored.
#pragma once

#include <cstdint>
#include <vector>

#include "core/ids.h"
#include "nand/cells/variation.h"
#include "nand/parameters.h"

namespace nandscape::nand {

class TruncatedNormal;

class PageVariations {
 public:
  // `first_layer` determines the layer of wordline 0 in each block (see NandGeometryParameters).
  PageVariations(const VariationParameters& parameters, std::uint32_t wordlines_per_block, std::uint64_t die_seed,
                 FirstLayer first_layer = FirstLayer::lowest);

  std::uint32_t layer(BlockInDie block, std::uint32_t wordline) const;
  // The natural logarithms of the two factors in PageVariation.
  struct Logarithms {
    double width;
    double shift;
  };
  Logarithms logarithms(BlockInDie block, std::uint32_t wordline) const;
  PageVariation of(BlockInDie block, std::uint32_t wordline) const;

 private:
  VariationParameters parameters_;
  std::uint32_t wordlines_;
  std::uint64_t seed_;
  FirstLayer first_layer_;
  std::vector<Logarithms> of_layers_;  // the systematic parts
  const TruncatedNormal& normal_;
  // Standard deviations of the two parts of z_s: the block's and the wordline's own.
  double block_sigma_;
  double wordline_sigma_;
};

}  // namespace nandscape::nand

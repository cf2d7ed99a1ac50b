// SPDX-License-Identifier: Apache-2.0
#include "nand/cell_models/page_variations.h"

#include <array>
#include <boost/math/distributions/normal.hpp>
#include <cmath>

#include "core/random.h"

namespace nandscape::nand {

// The quantile function of a normal distribution that is truncated on both sides, as a table with interpolation.
class TruncatedNormal {
 public:
  TruncatedNormal() {
    const boost::math::normal normal;
    const double lowest = cdf(normal, -variation_cutoff);
    for (std::size_t k = 0; k <= cells; ++k) {
      const double p = lowest + (1 - 2 * lowest) * static_cast<double>(k) / cells;
      quantiles_[k] = quantile(normal, p);
    }
  }

  double operator()(std::uint64_t word) const {
    const std::uint64_t cell = word >> (64 - bits);
    const double within = static_cast<double>(word << bits >> 11) * 0x1.0p-53;
    return quantiles_[cell] + within * (quantiles_[cell + 1] - quantiles_[cell]);
  }

 private:
  static constexpr unsigned bits = 12;
  static constexpr std::size_t cells = std::size_t{1} << bits;
  std::array<double, cells + 1> quantiles_;
};

namespace {

const TruncatedNormal& truncated_normal() {
  static const TruncatedNormal table;
  return table;
}

}  // namespace

PageVariations::PageVariations(const VariationParameters& parameters, std::uint32_t wordlines_per_block,
                               std::uint64_t die_seed, FirstLayer first_layer)
    : parameters_(parameters),
      wordlines_(wordlines_per_block),
      seed_(die_seed),
      first_layer_(first_layer),
      normal_(truncated_normal()),
      block_sigma_(std::sqrt(parameters.block_share)),
      wordline_sigma_(std::sqrt(1 - parameters.block_share)) {
  for (std::uint32_t layer = 0; layer < parameters.layers; ++layer) {
    const double profile = layer_profile(layer, parameters.layers);
    of_layers_.push_back({parameters.layer_width * profile, parameters.layer_shift * profile});
  }
}

std::uint32_t PageVariations::layer(BlockInDie block, std::uint32_t wordline) const {
  const std::uint32_t above_bottom =
      first_layer_ == FirstLayer::by_block ? block.value % 4 * parameters_.layers / 4 : 0;
  const std::uint64_t layers_up = std::uint64_t{wordline} * parameters_.layers / wordlines_;
  return static_cast<std::uint32_t>((layers_up + above_bottom) % parameters_.layers);
}

PageVariations::Logarithms PageVariations::logarithms(BlockInDie block, std::uint32_t wordline) const {
  const Logarithms& layer = of_layers_[this->layer(block, wordline)];
  const std::uint64_t block_word = mix64(seed_ ^ mix64(block.value));
  const std::uint64_t wordline_word = mix64(block_word ^ mix64(wordline + 1));
  const double z = block_sigma_ * normal_(block_word) + wordline_sigma_ * normal_(mix64(wordline_word));
  return {layer.width + parameters_.width_sigma * normal_(wordline_word),
          layer.shift + parameters_.shift_sigma * std::clamp(z, -variation_cutoff, variation_cutoff)};
}

PageVariation PageVariations::of(BlockInDie block, std::uint32_t wordline) const {
  const Logarithms l = logarithms(block, wordline);
  return {std::exp(l.width), std::exp(l.shift)};
}

}  // namespace nandscape::nand

// SPDX-License-Identifier: Apache-2.0
// The variation between wordlines. The channel holes of a 3D block are etched through all layers at once and are
// tapered. This causes a systematic profile h in [-1, 1] over the layers. The other part of the variation is random. It
// is drawn once for each block and each wordline.
//
//   width factor = exp(a_w h + s_w z_w),   shift factor = exp(a_s h + s_s z_s)
//   h(x) = 1 - 2x + (exp(-24x) + exp(-24(1-x))) / 4, scaled to [-1, 1];   x = layer / (layers - 1)
//
// All wordlines of a block share a part of z_s. The normal variates are truncated at 4 sigma, because blocks with
// larger deviations would be bad blocks. The shape of the profile, which is smooth with upturned ends, is an
// assumption. Its range is fitted to the differences between layers that were measured in [Luo 2018, "Improving 3D NAND
// flash memory lifetime by tolerating early retention loss and process variation"].
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>

#include "core/parameters.h"
#include "nand/cells/condition.h"

namespace nandscape::nand {

struct VariationParameters {
  std::uint32_t layers = 1;
  double layer_width = 0;
  double layer_shift = 0;
  double width_sigma = 0;
  double shift_sigma = 0;
  double block_share = 0.5;
};

inline constexpr double variation_cutoff = 4;  // standard deviations

inline void describe(VariationParameters& p, ParameterVisitor& v) {
  v.integer("layers", p.layers, {1, 10000}, "", "layers of wordlines in a block; 1 for planar flash");
  v.real("layer_width", p.layer_width, {0, 2}, "",
         "half the range of the logarithm of the tails' width over the layers");
  v.real("layer_shift", p.layer_shift, {0, 2}, "",
         "half the range of the logarithm of the retention drift over the layers");
  v.real("width_sigma", p.width_sigma, {0, 1}, "",
         "standard deviation of the logarithm of the tails' width among wordlines");
  v.real("shift_sigma", p.shift_sigma, {0, 1}, "", "standard deviation of the logarithm of the drift among wordlines");
  v.real("block_share", p.block_share, {0, 1}, "",
         "part of the drift's variance that is common to the wordlines of a block");
}

// Returns the profile h of a layer.
inline double layer_profile(std::uint32_t layer, std::uint32_t layers) {
  if (layers == 1) return 0;
  const auto raw = [](double x) { return 1 - 2 * x + 0.25 * (std::exp(-24 * x) + std::exp(-24 * (1 - x))); };
  const double highest = raw(0);
  const auto position = [&](std::uint32_t k) { return static_cast<double>(k) / (layers - 1); };
  double lowest = highest;
  for (std::uint32_t k = 0; k < layers; ++k) lowest = std::min(lowest, raw(position(k)));
  return 2 * (raw(position(layer)) - lowest) / (highest - lowest) - 1;
}

// The largest absolute values of the logarithms of the two factors.
inline double most_log_width(const VariationParameters& p) { return p.layer_width + variation_cutoff * p.width_sigma; }
inline double most_log_shift(const VariationParameters& p) { return p.layer_shift + variation_cutoff * p.shift_sigma; }

inline PageVariation page_variation(const VariationParameters& p, double profile, double width_z, double shift_z) {
  return {std::exp(p.layer_width * profile + p.width_sigma * width_z),
          std::exp(p.layer_shift * profile + p.shift_sigma * shift_z)};
}

}  // namespace nandscape::nand

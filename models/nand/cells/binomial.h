// SPDX-License-Identifier: Apache-2.0
// Draws from the binomial distribution, which counts the errors of pages and codewords.
//
// A small mean is drawn by inversion, another mean by the algorithm BTRD [Hörmann 1993, "The generation of binomial
// random variates", Journal of Statistical Computation and Simulation 46]. Both give the same numbers as
// boost::random::binomial_distribution<std::int32_t, double>, which computes all constants of the algorithm for every
// draw. Most draws need only a few of them.
#pragma once

#include <cstdint>
#include <span>

#include "core/random.h"

namespace nandscape::nand {

// Returns the number of successes among `trials` < 2^31 independent trials that succeed with `probability`.
std::uint32_t draw_binomial(RandomStream& random, std::uint32_t trials, double probability);

// Distributes `total` over `parts` >= 1 equally likely parts and returns the largest share. If `shares` is not empty,
// it receives the share of each part.
std::uint32_t draw_shares(RandomStream& random, std::uint32_t total, std::uint32_t parts,
                          std::span<std::uint16_t> shares);

}  // namespace nandscape::nand

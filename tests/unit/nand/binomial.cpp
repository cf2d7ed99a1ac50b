// SPDX-License-Identifier: Apache-2.0
#include "nand/cells/binomial.h"

#include <boost/random/binomial_distribution.hpp>

#include "catch.h"

namespace nandscape::nand {

// Boost is the reference. The means span inversion, both ends of BTRD and its three ways to accept a number. After all
// draws, both streams must be in the same state, so both algorithms have drawn the same number of words.
TEST_CASE("binomial numbers and the words drawn for them equal those of Boost") {
  RandomStream parameters(1, "parameters");
  RandomStream ours(2, "numbers");
  RandomStream reference = ours;
  std::uint64_t different = 0;
  for (int k = 0; k < 400'000; ++k) {
    const auto trials = static_cast<std::uint32_t>(std::exp2(17 * parameters.uniform()) - 1);
    double probability = std::exp2(-18 * parameters.uniform());
    if (k % 2 == 0) probability = 1.0 / static_cast<double>(1 + parameters.below(16));
    if (k % 10 == 0) probability = parameters.uniform();
    const auto expected = boost::random::binomial_distribution<std::int32_t, double>(static_cast<std::int32_t>(trials),
                                                                                     probability)(reference);
    different += draw_binomial(ours, trials, probability) != static_cast<std::uint32_t>(expected);
  }
  CHECK(different == 0);
  CHECK(ours() == reference());
}

}  // namespace nandscape::nand

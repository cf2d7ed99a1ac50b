// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <boost/math/tools/toms748_solve.hpp>
#include <cstdint>
#include <stdexcept>

namespace nandscape {

// Returns the zero of a function that is negative at `low` and positive at `high`. The function may be nearly constant
// over much of the range, like the tails of a Gaussian. Throws std::domain_error if the function is positive at `low`
// or negative at `high`.
template <typename Function>
double bracketed_root(const Function& function, double low, double high) {
  const double at_low = function(low), at_high = function(high);
  if (!(at_low <= 0 && at_high >= 0)) throw std::domain_error("no value in the range gives the required error rate");
  constexpr int bits = 48;
  std::uintmax_t most_steps = 500;
  const auto [below, above] = boost::math::tools::toms748_solve(
      function, low, high, at_low, at_high, boost::math::tools::eps_tolerance<double>(bits), most_steps);
  return below + (above - below) / 2;
}

}  // namespace nandscape

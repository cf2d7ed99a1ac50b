// SPDX-License-Identifier: Apache-2.0
#include "core/poisson_interval.h"

#include <boost/math/special_functions/gamma.hpp>

namespace nandscape {

// For a Poisson variable N with mean m, P(N >= k) is the regularised incomplete gamma function P(k, m), and P(N <= k)
// is Q(k + 1, m).
PoissonInterval poisson_interval(std::uint64_t events) {
  constexpr double outside = 0.025;  // probability outside of the interval, on each side
  const auto k = static_cast<double>(events);
  return {events == 0 ? 0 : boost::math::gamma_p_inv(k, outside), boost::math::gamma_q_inv(k + 1, outside)};
}

}  // namespace nandscape

// SPDX-License-Identifier: Apache-2.0
#include "ecc/measurement/measured_frames.h"

#include <algorithm>
#include <boost/math/distributions/binomial.hpp>
#include <cmath>

namespace nandscape::ecc {

double MeasuredFrames::iterations_deviation() const {
  const double mean = mean_iterations();
  const double mean_square = static_cast<double>(squared_iterations) / static_cast<double>(frames);
  return std::sqrt(std::max(mean_square - mean * mean, 0.0));
}

MeasuredFrames& MeasuredFrames::operator+=(const MeasuredFrames& other) {
  frames += other.frames;
  failures += other.failures;
  miscorrections += other.miscorrections;
  iterations += other.iterations;
  squared_iterations += other.squared_iterations;
  return *this;
}

RateEstimate estimate_rate(std::uint64_t events, std::uint64_t frames) {
  if (frames == 0) return {};
  using Binomial = boost::math::binomial_distribution<double>;
  constexpr double outside = 0.025;  // on either side
  const auto n = static_cast<double>(frames), k = static_cast<double>(events);
  return {k / n, events == 0 ? 0 : Binomial::find_lower_bound_on_p(n, k, outside),
          events == frames ? 1 : Binomial::find_upper_bound_on_p(n, k, outside)};
}

}  // namespace nandscape::ecc

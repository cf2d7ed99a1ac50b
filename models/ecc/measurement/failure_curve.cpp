// SPDX-License-Identifier: Apache-2.0
#include "ecc/measurement/failure_curve.h"

#include <algorithm>
#include <boost/math/special_functions/erf.hpp>
#include <cmath>
#include <numbers>
#include <stdexcept>

namespace nandscape::ecc {

namespace {

double probit(double rate) { return -std::numbers::sqrt2 * boost::math::erfc_inv(2 * rate); }
double rate_of(double probit) { return std::erfc(-probit / std::numbers::sqrt2) / 2; }

// A point of the curve: the value that was measured at a number of errors.
struct Knot {
  std::uint32_t errors;
  double value;
};
using Knots = std::vector<Knot>;

// Interpolates between the knots with `between(left, right, fraction of the distance)`. Outside of the knots the value
// is constant.
template <class Between>
std::vector<double> by_errors(const Knots& knots, std::uint32_t size, const Between& between) {
  std::vector<double> values(size, knots.front().value);
  for (std::size_t k = 0; k + 1 < knots.size(); ++k) {
    const Knot &left = knots[k], &right = knots[k + 1];
    for (std::uint32_t e = left.errors; e < right.errors; ++e) {
      values[e] = e == left.errors ? left.value
                                   : between(left.value, right.value,
                                             static_cast<double>(e - left.errors) / (right.errors - left.errors));
    }
  }
  for (std::uint32_t e = knots.back().errors; e < size; ++e) values[e] = knots.back().value;
  return values;
}

double linear(double left, double right, double share) { return left + (right - left) * share; }

// Makes the rates rise with the number of errors. Neighbouring counts whose rates fall are merged and receive their
// common rate (the algorithm is known as "pool adjacent violators").
Knots rising_rates(const FramesByErrors& measured) {
  struct Pool {
    double failures, frames;
    std::size_t counts;
    double rate() const { return failures / frames; }
  };
  std::vector<Pool> pools;
  for (const auto& [errors, m] : measured) {
    pools.push_back({static_cast<double>(m.failures), static_cast<double>(m.frames), 1});
    while (pools.size() > 1 && pools[pools.size() - 2].rate() > pools.back().rate()) {
      const Pool last = pools.back();
      pools.pop_back();
      pools.back().failures += last.failures;
      pools.back().frames += last.frames;
      pools.back().counts += last.counts;
    }
  }
  Knots knots;
  auto at = measured.begin();
  for (const Pool& pool : pools) {
    for (std::size_t k = 0; k < pool.counts; ++k, ++at) knots.push_back({at->first, pool.rate()});
  }
  return knots;
}

// Returns the knots at which frames failed. If there is a knot below them, at which no frame failed, it is included as
// if half a frame had failed.
Knots failing(const Knots& rates, const FramesByErrors& measured) {
  const auto first = std::find_if(rates.begin(), rates.end(), [](const Knot& knot) { return knot.value > 0; });
  Knots knots(first, rates.end());
  if (first != rates.begin()) {
    const std::uint32_t errors = std::prev(first)->errors;
    const double half_a_failure = 0.5 / static_cast<double>(measured.at(errors).frames);
    knots.insert(knots.begin(), {errors, knots.empty() ? half_a_failure : std::min(half_a_failure, first->value)});
  }
  return knots;
}

// Returns the slope of the logarithm of the rate over the lowest decade of the measured rates.
double lowest_slope(const Knots& knots) {
  const Knot& lowest = knots.front();
  const auto above =
      std::find_if(knots.begin(), knots.end(), [&](const Knot& k) { return k.value >= 10 * lowest.value; });
  const Knot& upper = above != knots.end() ? *above : knots.back();
  if (upper.errors == lowest.errors) return 0;
  return std::log(upper.value / lowest.value) / (upper.errors - lowest.errors);
}

// Interpolates linearly in the probit of the rate. Rates of 0 and 1 have no probit. If the left rate is 0, the result
// is 0. A rate of 1 is lowered by half a frame of the count with the most frames.
class ProbitLine {
 public:
  explicit ProbitLine(const FramesByErrors& measured) {
    for (const auto& [errors, m] : measured) highest_ = std::max(highest_, 1 - 0.5 / static_cast<double>(m.frames));
  }
  double operator()(double left, double right, double share) const {
    if (left == right || left == 0) return left;
    return rate_of(linear(probit(left), probit(std::min(right, highest_)), share));
  }

 private:
  double highest_ = 0.5;
};

void estimate(FailureCurve& curve, const FramesByErrors& measured, std::uint32_t size) {
  const Knots knots = failing(rising_rates(measured), measured);
  const ProbitLine line(measured);
  curve.rate = by_errors(knots, size, line);
  const double slope = lowest_slope(knots);
  for (std::uint32_t e = 0; e < knots.front().errors; ++e) {
    curve.rate[e] = knots.front().value * std::exp(-slope * (knots.front().errors - e));
  }
  for (std::uint32_t e = knots.back().errors + 1; e < size; ++e) curve.rate[e] = 1;

  Knots low, high;
  for (const auto& [errors, m] : measured) {
    const RateEstimate rate = estimate_rate(m.failures, m.frames);
    low.push_back({errors, low.empty() ? rate.low : std::max(rate.low, low.back().value)});
    high.push_back({errors, rate.high});
  }
  for (std::size_t k = high.size() - 1; k-- > 0;) high[k].value = std::min(high[k].value, high[k + 1].value);
  curve.low = by_errors(low, size, line);
  curve.high = by_errors(high, size, line);
  const std::uint32_t lowest = curve.lowest_known = knots.front().errors;
  const double ratio = curve.high[lowest] / curve.rate[lowest];
  for (std::uint32_t e = 0; e < size; ++e) {
    if (e < lowest) curve.high[e] = std::min(curve.high[e], ratio * curve.rate[e]);
    if (e > measured.rbegin()->first) curve.high[e] = 1;
    // Merged rates can lie outside the bounds that result from the neighbouring counts.
    curve.low[e] = std::min(curve.low[e], curve.rate[e]);
    curve.high[e] = std::max(curve.high[e], curve.rate[e]);
  }
}

}  // namespace

FailureCurve failure_curve(const FramesByErrors& measured, std::uint32_t guaranteed_errors) {
  if (measured.empty()) throw std::invalid_argument("a failure curve needs measured frames");
  const std::uint32_t size = measured.rbegin()->first + 2;
  FailureCurve curve;
  estimate(curve, measured, size);
  for (std::uint32_t e = 0; e <= std::min(guaranteed_errors, size - 1); ++e) {
    curve.rate[e] = curve.low[e] = curve.high[e] = 0;
  }

  Knots mean, deviation, miscorrected;
  for (const auto& [errors, m] : measured) {
    if (m.failures > 0) {
      miscorrected.push_back({errors, static_cast<double>(m.miscorrections) / static_cast<double>(m.failures)});
    }
    mean.push_back({errors, m.mean_iterations()});
    deviation.push_back({errors, m.iterations_deviation()});
  }
  if (miscorrected.empty()) miscorrected.push_back({0, 0});
  curve.miscorrected_share = by_errors(miscorrected, size, linear);
  curve.mean_iterations = by_errors(mean, size, linear);
  curve.iterations_deviation = by_errors(deviation, size, linear);
  return curve;
}

}  // namespace nandscape::ecc

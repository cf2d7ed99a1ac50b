// SPDX-License-Identifier: Apache-2.0
#include "ecc/codes/sensing_channel.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <stdexcept>
#include <string>
#include <utility>

namespace nandscape::ecc {

namespace {

double upper_tail(double deviate) { return 0.5 * std::erfc(deviate / std::numbers::sqrt2); }

double upper_tail_deviate(double probability) {
  double low = 0;
  double high = 40;
  for (int i = 0; i < 100; ++i) {
    const double middle = 0.5 * (low + high);
    (upper_tail(middle) > probability ? low : high) = middle;
  }
  return 0.5 * (low + high);
}

// Returns p log2((p + q) / p), the uncertainty about a bit that remains after its cell was found to be in a region. The
// two arguments are the probabilities that a cell is in this region: p if its bit has the value considered, and q if
// its bit has the opposite value.
double doubt(double p, double q) { return p == 0 ? 0 : p * std::log2(1 + q / p); }

double best_spacing(double rber, std::uint32_t levels) {
  const auto information = [&](double spacing) { return SensingChannel(rber, levels, spacing).mutual_information(); };
  // Evaluates a coarse grid first. Then a golden-section search finds the maximum between the neighbours of the best
  // grid point.
  constexpr int steps = 40;
  const double step = 2 / upper_tail_deviate(rber) / steps;  // the grid ends at 2 sigma
  int best = 1;
  double most = 0;
  for (int i = 1; i < steps; ++i) {
    const double here = information(i * step);
    if (here <= most) continue;
    most = here;
    best = i;
  }
  double low = (best - 1) * step;
  double high = (best + 1) * step;
  constexpr double section = 1 / std::numbers::phi;
  double left = high - section * (high - low);
  double right = low + section * (high - low);
  double at_left = information(left);
  double at_right = information(right);
  for (int i = 0; i < 40; ++i) {
    if (at_left > at_right) {
      high = std::exchange(right, left);
      at_right = at_left;
      left = high - section * (high - low);
      at_left = information(left);
    } else {
      low = std::exchange(left, right);
      at_left = at_right;
      right = low + section * (high - low);
      at_right = information(right);
    }
  }
  return 0.5 * (low + high);
}

void check(double rber, std::uint32_t levels) {
  if (!(rber >= least_sensing_rber && rber < 0.5)) {
    throw std::invalid_argument("a sensing channel takes an RBER from 1e-15 to below 0.5");
  }
  if (levels < 1 || levels > most_sensing_levels) {
    throw std::invalid_argument("a sensing channel takes 1 to 7 levels, not " + std::to_string(levels));
  }
}

}  // namespace

SensingChannel::SensingChannel(double rber, std::uint32_t levels)
    : SensingChannel(rber, levels, (check(rber, levels), levels == 1 ? 0.0 : best_spacing(rber, levels))) {}

SensingChannel::SensingChannel(double rber, std::uint32_t levels, double spacing)
    : rber_(rber), levels_(levels), spacing_(spacing) {
  check(rber, levels);
  sigma_ = 1 / upper_tail_deviate(rber);
  // The voltages of cells that store a 0 have the mean 1.
  const auto between = [&](double from, double to) {
    if (from >= to) return 0.0;
    const double low = (from - 1) / sigma_;
    const double high = (to - 1) / sigma_;
    return low > 0 ? upper_tail(low) - upper_tail(high) : upper_tail(-high) - upper_tail(-low);
  };
  constexpr double infinity = std::numeric_limits<double>::infinity();
  double from = -infinity;
  for (std::uint32_t i = 0; i <= levels; ++i) {
    const double to = i == levels ? infinity : (i - 0.5 * (levels - 1)) * spacing;
    Region& region = regions_[i];
    region.probability_if_wrong = between(from, std::min(to, 0.0));
    region.probability_if_right = between(std::max(from, 0.0), to);
    region.probability_if_zero = region.probability_if_wrong + region.probability_if_right;
    regions_[levels - i].probability_if_one = region.probability_if_zero;
    from = to;
  }
  for (std::uint32_t i = 0; 2 * i < levels; ++i) {
    const Region& region = regions_[i];
    regions_[i].log_likelihood_ratio = std::log(region.probability_if_one / region.probability_if_zero);
    regions_[levels - i].log_likelihood_ratio = -region.log_likelihood_ratio;
  }
  const double step = regions_[0].log_likelihood_ratio / strongest_llr;
  for (Region& region : regions_)
    region.llr = static_cast<std::int8_t>(std::lround(region.log_likelihood_ratio / step));
}

std::uint32_t SensingChannel::sample(bool bit, bool hard_error, double u) const {
  double left = u * (hard_error ? rber_ : 1 - rber_);
  std::uint32_t region = hard_error ? 0 : levels_ / 2;
  const std::uint32_t last = hard_error ? levels_ / 2 : levels_;
  for (; region < last; ++region) {
    left -= hard_error ? regions_[region].probability_if_wrong : regions_[region].probability_if_right;
    if (left < 0) break;
  }
  return bit ? levels_ - region : region;
}

double SensingChannel::mutual_information() const {
  double doubts = 0;
  for (const Region& r : regions()) {
    doubts += doubt(r.probability_if_zero, r.probability_if_one) + doubt(r.probability_if_one, r.probability_if_zero);
  }
  return 1 - 0.5 * doubts;
}

}  // namespace nandscape::ecc

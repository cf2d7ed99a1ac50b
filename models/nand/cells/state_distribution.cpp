// SPDX-License-Identifier: Apache-2.0
#include "nand/cells/state_distribution.h"

#include <algorithm>
#include <boost/math/quadrature/gauss.hpp>
#include <cmath>
#include <stdexcept>
#include <utility>

#include "nand/cells/laplace_gauss.h"

namespace nandscape::nand {

namespace {

// Returns E[f(|n|)] for a standard normal n. The function f must be nearly constant except for a step near n =
// `step_at`, whose width is about `step_width`.
template <class Function>
double half_normal_mean(double step_at, double step_width, const Function& f) {
  constexpr double furthest = 8;
  constexpr double twice_density_at_zero = 0.79788456080286535588;
  const auto weighted = [&](double n) { return std::exp(-0.5 * n * n) * f(n); };
  // A wide step is as smooth as the normal density, so the range of integration need not be divided at the step.
  if (step_width > 0.5) {
    return twice_density_at_zero * boost::math::quadrature::gauss<double, 25>::integrate(weighted, 0.0, furthest);
  }
  double sum = 0;
  double from = 0;
  for (const double end : {step_at - 6 * step_width, step_at, step_at + 6 * step_width, furthest}) {
    const double to = std::clamp(end, from, furthest);
    if (to > from) sum += boost::math::quadrature::gauss<double, 20>::integrate(weighted, from, to);
    from = to;
  }
  return twice_density_at_zero * sum;
}

}  // namespace

StateDistribution::StateDistribution(StateShape shape, double pulse_noise, double lambda, double gaussian,
                                     std::vector<Coupling> coupling, Lift lift, Loss loss)
    : shape_(shape),
      pulse_noise_(pulse_noise),
      lambda_(lambda),
      gaussian_(gaussian),
      coupling_(std::move(coupling)),
      lift_(lift),
      loss_(loss) {
  if (!(loss.slope < 1)) {
    throw std::domain_error(
        "with these cycles and this age, the drift of nand.cells.retention would exceed the voltages");
  }
}

double StateDistribution::noise_at(double x) const {
  const double scale = 1 - loss_.slope;
  return std::sqrt(gaussian_ * gaussian_ + loss_.noise * std::max(loss_.of(x), 0.0) / (scale * scale));
}

// Returns P(y + noise < x), where y has the distribution `shape_`. The noise of the pulses smooths only the upper edge
// of the flat top.
double StateDistribution::shape_below(double x, double gaussian) const {
  if (lambda_ == 0 && gaussian == 0 && pulse_noise_ == 0) return shape_.below(x);
  const double width = shape_.hi() - shape_.lo();
  if (width == 0 && shape_.sigma_low() == shape_.sigma_high()) {
    return LaplaceGauss(lambda_, std::hypot(gaussian, shape_.sigma_low())).below(x - shape_.lo());
  }
  const LaplaceGauss noise(lambda_, gaussian);
  const LaplaceGauss upper_edge(lambda_, std::hypot(gaussian, pulse_noise_));
  if (lambda_ == 0 && gaussian == 0) {
    return shape_.below(x) +
           shape_.alpha() * (noise.below_integral(x - shape_.hi()) - upper_edge.below_integral(x - shape_.hi()));
  }
  double sum = 0;
  if (width > 0) {
    sum += shape_.alpha() * (noise.below_integral(x - shape_.lo()) - upper_edge.below_integral(x - shape_.hi()));
  }
  if (shape_.sigma_low() > 0) {
    sum += shape_.low_fraction() *
           half_normal_mean((shape_.lo() - x) / shape_.sigma_low(), (lambda_ + gaussian) / shape_.sigma_low(),
                            [&](double n) { return noise.below(x - shape_.lo() + shape_.sigma_low() * n); });
  }
  if (shape_.sigma_high() > 0) {
    sum += shape_.high_fraction() *
           half_normal_mean((x - shape_.hi()) / shape_.sigma_high(), (lambda_ + gaussian) / shape_.sigma_high(),
                            [&](double n) { return noise.below(x - shape_.hi() - shape_.sigma_high() * n); });
  }
  return sum;
}

double StateDistribution::shape_above(double x, double gaussian) const {
  if (lambda_ == 0 && gaussian == 0 && pulse_noise_ == 0) return shape_.above(x);
  const double width = shape_.hi() - shape_.lo();
  if (width == 0 && shape_.sigma_low() == shape_.sigma_high()) {
    return LaplaceGauss(lambda_, std::hypot(gaussian, shape_.sigma_low())).below(shape_.lo() - x);
  }
  const LaplaceGauss noise(lambda_, gaussian);
  const LaplaceGauss upper_edge(lambda_, std::hypot(gaussian, pulse_noise_));
  if (lambda_ == 0 && gaussian == 0) {
    return shape_.above(x) +
           shape_.alpha() * (upper_edge.below_integral(shape_.hi() - x) - noise.below_integral(shape_.hi() - x));
  }
  double sum = 0;
  if (width > 0) {
    sum += shape_.alpha() * (upper_edge.below_integral(shape_.hi() - x) - noise.below_integral(shape_.lo() - x));
  }
  if (shape_.sigma_low() > 0) {
    sum += shape_.low_fraction() *
           half_normal_mean((shape_.lo() - x) / shape_.sigma_low(), (lambda_ + gaussian) / shape_.sigma_low(),
                            [&](double n) { return noise.below(shape_.lo() - shape_.sigma_low() * n - x); });
  }
  if (shape_.sigma_high() > 0) {
    sum += shape_.high_fraction() *
           half_normal_mean((x - shape_.hi()) / shape_.sigma_high(), (lambda_ + gaussian) / shape_.sigma_high(),
                            [&](double n) { return noise.below(shape_.hi() + shape_.sigma_high() * n - x); });
  }
  return sum;
}

// Returns -1 if all cells except for a fraction of 1e-19 are above x, +1 if they are below x, and 0 otherwise.
int StateDistribution::side(double x, double gaussian) const {
  const double reach = 9 * (gaussian + pulse_noise_ + std::max(shape_.sigma_low(), shape_.sigma_high())) + 44 * lambda_;
  if (x < shape_.lo() + coupling_.front().shift - reach) return -1;
  if (x > shape_.hi() + coupling_.back().shift + reach) return 1;
  return 0;
}

double StateDistribution::most_below(double v) const {
  const double x = origin(v);
  const double gaussian = noise_at(x);
  if (const int s = side(x, gaussian); s != 0) return s < 0 ? 0 : 1;
  double sum = 0;
  for (const Coupling& c : coupling_) sum += c.probability * shape_below(x - c.shift, gaussian);
  return sum;
}

double StateDistribution::most_above(double v) const {
  const double x = origin(v);
  const double gaussian = noise_at(x);
  if (const int s = side(x, gaussian); s != 0) return s < 0 ? 1 : 0;
  double sum = 0;
  for (const Coupling& c : coupling_) sum += c.probability * shape_above(x - c.shift, gaussian);
  return sum;
}

// Returns P(V > v) for the lifted cells. If there is no other noise, the noise of the pulses is neglected, because
// lifts are much larger. Otherwise the result is the mean of most_above(v - lift) over the distribution of the lift. As
// the lift grows, v - lift moves from above the upper end of the state to below its lower end, so most_above(v - lift)
// rises from 0 to 1.
double StateDistribution::lifted_above(double v) const {
  const double scale = 1 - loss_.slope;
  if (lambda_ == 0 && gaussian_ == 0 && loss_.noise == 0 && coupling_.size() == 1) {
    return drifted_shape().above_lifted(v, lift_.mean);
  }
  const double x = 0.5 * (shape_.lo() + shape_.hi());
  const double reach = scale * (4 * std::max(shape_.sigma_low(), shape_.sigma_high()) + 8 * lambda_) +
                       4 * (scale * noise_at(x) + pulse_noise_);
  const double upper = drifted(shape_.hi() + coupling_.back().shift);
  const double lower = drifted(shape_.lo() + coupling_.front().shift);
  double sum = 0;
  double from = std::max((v - upper - reach) / lift_.mean, 0.0);
  for (const double end : {v - upper, v - lower, v - lower + reach}) {
    const double to = std::max(end / lift_.mean, from);
    if (to > from) {
      const auto weighted = [&](double t) { return std::exp(-t) * most_above(v - lift_.mean * t); };
      sum += boost::math::quadrature::gauss<double, 10>::integrate(weighted, from, to);
    }
    from = to;
  }
  return sum + std::exp(-from);
}

double StateDistribution::above(double v) const {
  const double most = most_above(v);
  return lift_.share == 0 ? most : most + lift_.share * std::max(lifted_above(v) - most, 0.0);
}

double StateDistribution::below(double v) const {
  const double most = most_below(v);
  if (lift_.share == 0 || most == 0) return most;
  // Lifts move cells from below v to above v. In the far tail the difference consists only of rounding errors, so it is
  // clamped.
  const double away = std::clamp((lifted_above(v) - most_above(v)) / most, 0.0, 1.0);
  return most * (1 - lift_.share * away);
}

double StateDistribution::between(double a, double b) const {
  if (!(a < b)) return 0;
  const auto left_of = [this](double v) { return std::isinf(v) ? (v > 0 ? 1.0 : 0.0) : below(v); };
  const auto right_of = [this](double v) { return std::isinf(v) ? (v > 0 ? 0.0 : 1.0) : above(v); };
  const double middle = centre();
  if (b <= middle) return left_of(b) - left_of(a);
  if (a >= middle) return right_of(a) - right_of(b);
  return 1 - left_of(a) - right_of(b);
}

bool StateDistribution::noiseless() const {
  return lambda_ == 0 && gaussian_ == 0 && pulse_noise_ == 0 && loss_.noise == 0 && coupling_.size() == 1;
}

StateShape StateDistribution::drifted_shape() const {
  const double scale = 1 - loss_.slope;
  const double shift = coupling_.front().shift;
  return {drifted(shape_.lo() + shift), drifted(shape_.hi() + shift), shape_.sigma_low() * scale,
          shape_.sigma_high() * scale};
}

}  // namespace nandscape::nand

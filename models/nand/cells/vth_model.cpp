// SPDX-License-Identifier: Apache-2.0
#include "nand/cells/vth_model.h"

#include <algorithm>
#include <boost/math/tools/minima.hpp>
#include <cmath>
#include <limits>

namespace nandscape {

VthModel::VthModel(const CellParameters& parameters, const SenseTiming& standard)
    : parameters_(parameters), standard_(standard), centres_{parameters.placement.erased_mean_mv} {
  for (const double verify : parameters.placement.verify_mv) {
    centres_.push_back(verify + parameters.placement.step_mv / 2);
  }
}

double VthModel::drift(const CellCondition& c, const PageVariation& page) const {
  return retention_shift_mv(parameters_.retention, c.kilocycles, c.retention_months) * page.shift_factor;
}

double VthModel::drift_share(double x) const {
  const double lowest = parameters_.retention.low_state_share;
  if (centres_.size() == 2) return lowest;
  return lowest + (1 - lowest) * (x - centres_[1]) / (centres_.back() - centres_[1]);
}

StateDistribution VthModel::state(std::uint32_t place, const CellCondition& c, const PageVariation& page,
                                  double step_mv) const {
  const PlacementParameters& placement = parameters_.placement;
  const double step = step_of(step_mv);
  const double tail = placement.tail_mv * wear_tail_factor(parameters_.wear, c.kilocycles) * page.width_factor;
  const double above_erased = centres_[place] - centres_[0];
  double lift = disturb_shift_mv(parameters_.disturb, c, above_erased);

  StateShape shape(0, 1, 0, 0);
  if (place == 0) {
    lift += wear_erased_shift_mv(parameters_.wear, c.kilocycles);
    const double sigma =
        placement.erased_sigma_mv * wear_tail_factor(parameters_.wear, c.kilocycles) * page.width_factor;
    shape = StateShape(placement.erased_mean_mv, placement.erased_mean_mv, sigma, sigma);
  } else {
    const double spread =
        retention_tail_mv(parameters_.retention, c.retention_months) * drift_share(centres_[place]) * page.width_factor;
    const double lo = verify_level(placement, place, step);
    shape = StateShape(lo, lo + step, std::hypot(tail * placement.low_tail_ratio, spread), tail);
  }

  // Neighbours are programmed to all states alike. The diagonal ones are small: their mean and variance suffice.
  const InterferenceParameters& g = parameters_.interference;
  std::vector<StateDistribution::Coupling> coupling = {{1, 0}};
  double gaussian = 0;
  if (g.vertical > 0 || g.diagonal > 0) {
    const double states = places();
    double mean = 0;
    double square = 0;
    for (const double centre : centres_) {
      const double rise = centre - centres_[0];
      mean += rise / states;
      square += rise * rise / states;
    }
    coupling.clear();
    for (const double centre : centres_) {
      coupling.push_back({1 / states, g.vertical * (centre - centres_[0]) + 2 * g.diagonal * mean});
    }
    // A rise begins anywhere in the erased state and ends anywhere on the flat top.
    const double spread = placement.erased_sigma_mv * placement.erased_sigma_mv + step * step / 12;
    gaussian = std::sqrt(g.vertical * g.vertical * spread +
                         2 * g.diagonal * g.diagonal * (square - mean * mean + spread) * (states - 1) / states);
  }

  const double s = drift(c, page);
  StateDistribution::Loss loss;
  loss.slope = s * (drift_share(1) - drift_share(0));
  loss.at_zero = s * drift_share(0);
  if (place != 0) loss.noise = loss_noise_mv(parameters_.retention, c.kilocycles);
  return {shape,
          place == 0 ? 0 : placement.pulse_noise_mv,
          telegraph_lambda_mv(parameters_.telegraph_noise, c.kilocycles),
          gaussian,
          std::move(coupling),
          lift,
          loss};
}

std::vector<StateDistribution> VthModel::states(const Coding& coding, const CellCondition& c, const PageVariation& page,
                                                double step_mv) const {
  std::vector<StateDistribution> all;
  all.reserve(coding.states());
  for (std::uint32_t s = 0; s < coding.states(); ++s) all.push_back(state(coding.place(s), c, page, step_mv));
  return all;
}

double VthModel::optimum(const StateDistribution& lower, const StateDistribution& upper) {
  if (lower.noiseless() && upper.noiseless()) {
    // Where the two tails are equally high, their flat tops being so.
    const StateShape a = lower.drifted_shape();
    const StateShape b = upper.drifted_shape();
    if (a.sigma_high() + b.sigma_low() == 0) return 0.5 * (a.hi() + b.lo());
    return (a.hi() * b.sigma_low() + b.lo() * a.sigma_high()) / (a.sigma_high() + b.sigma_low());
  }
  const auto misreads = [&](double v) { return std::log(lower.above(v) + upper.below(v) + 1e-300); };
  const double a = lower.centre();
  const double b = upper.centre();
  std::uintmax_t iterations = 60;
  // 20 bits place the level to a millionth of the distance between the states.
  return boost::math::tools::brent_find_minima(misreads, a, b, 20, iterations).first;
}

std::vector<double> VthModel::optimum_levels(std::span<const StateDistribution> states) const {
  std::vector<double> levels;
  for (std::size_t s = 1; s < states.size(); ++s) levels.push_back(optimum(states[s - 1], states[s]));
  return levels;
}

double VthModel::default_level(std::uint32_t lower, std::uint32_t upper, const CellCondition& c, double step_mv) const {
  const ReadLevelParameters& levels = parameters_.read_levels;
  if (levels.kind == DefaultLevels::given && upper == lower + 1) {
    const double larger = step_of(step_mv) - parameters_.placement.step_mv;
    const double given = levels.given_mv[lower] - (lower == 0 ? levels.first_follows_step * larger : 0);
    // Back to where it would lie without drift, then on with the drift of this condition.
    const CellCondition at{.kilocycles = levels.given_at_kilocycles, .retention_months = levels.given_at_months};
    const double slope = drift_share(1) - drift_share(0);
    const double reference = drift(at, {});
    const double origin = (given + reference * drift_share(0)) / (1 - reference * slope);
    return origin - drift(c, {}) * drift_share(origin);
  }
  return optimum(state(lower, {}, {}, step_mv), state(upper, {}, {}, step_mv));
}

std::vector<double> VthModel::levels(const Coding& coding, const CellCondition& c, const PageVariation& page,
                                     std::uint32_t retry_step, double step_mv) const {
  const ReadLevelParameters& p = parameters_.read_levels;
  const double s = drift(c, page);
  std::vector<double> levels;
  if (p.tracking && retry_step > 0 && std::abs(s - retry_step * p.retry_step_mv) <= p.capture_range_mv) {
    levels = optimum_levels(states(coding, c, page, step_mv));
    for (double& level : levels) level += p.tracking_miss_mv;
    return levels;
  }
  for (std::uint32_t upper = 1; upper < coding.states(); ++upper) {
    const std::uint32_t below = coding.place(upper - 1);
    const std::uint32_t above = coding.place(upper);
    const double middle = std::max(centres_[1], 0.5 * (centres_[below] + centres_[above]));
    levels.push_back(default_level(below, above, c, step_mv) - retry_step * p.retry_step_mv * drift_share(middle));
  }
  return levels;
}

double VthModel::misread_by_vth(const Coding& coding, std::uint32_t page_type,
                                std::span<const StateDistribution> states, std::span<const double> levels) {
  const std::span<const std::uint8_t> own = coding.levels(page_type);
  const bool first_bit = coding.bit(0, page_type);
  constexpr double infinity = std::numeric_limits<double>::infinity();
  double sum = 0;
  for (std::uint32_t s = 0; s < coding.states(); ++s) {
    // Between two of the page's levels every Vth reads alike; the bit changes from one such interval to the next.
    bool read = first_bit;
    double from = -infinity;
    for (std::size_t k = 0; k <= own.size(); ++k) {
      const double to = k < own.size() ? levels[own[k] - 1] : infinity;
      if (read != coding.bit(s, page_type)) sum += states[s].between(from, to);
      read = !read;
      from = std::max(from, to);
    }
  }
  return sum / coding.states();
}

double VthModel::misread(const Coding& coding, std::uint32_t page_type, std::span<const StateDistribution> states,
                         std::span<const double> levels, const CellCondition& c, const PageVariation& page,
                         const SenseTiming& timing) const {
  double p = misread_by_vth(coding, page_type, states, levels);
  const SenseMisreads sense = sense_misreads(parameters_.sensing, timing, standard_, c, drift(c, page));
  for (const std::uint8_t level : coding.levels(page_type)) {
    const double below = static_cast<double>(level) / coding.states();
    p += (1 - below) * sense.off_as_on + below * sense.on_as_off;
  }
  return std::min(p, 0.5);
}

double VthModel::misread(const Coding& coding, std::uint32_t page_type, const CellCondition& c,
                         const PageVariation& page, std::uint32_t retry_step, double step_mv) const {
  return misread(coding, page_type, states(coding, c, page, step_mv), levels(coding, c, page, retry_step, step_mv), c,
                 page, standard_);
}

}  // namespace nandscape

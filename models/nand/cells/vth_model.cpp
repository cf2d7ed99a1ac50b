// SPDX-License-Identifier: Apache-2.0
#include "nand/cells/vth_model.h"

#include <algorithm>
#include <boost/math/tools/minima.hpp>
#include <cmath>

#include "nand/cells/coupling.h"
#include "protocol/nand_command.h"

namespace nandscape::nand {

VthModel::VthModel(const CellParameters& parameters, const SenseTiming& standard)
    : parameters_(parameters), standard_(standard), centres_{parameters.placement.erased_mean_mv} {
  for (const double verify : parameters.placement.verify_mv) {
    centres_.push_back(verify + parameters.placement.step_mv / 2);
  }
  for (std::uint32_t place = 1; place < places(); ++place) {
    optimum_levels_.push_back(optimum(state(place - 1, {}, {}), state(place, {}, {})));
  }
}

double VthModel::drift(const CellCondition& c, const PageVariation& page) const {
  return retention_shift_mv(parameters_.retention, c.kilocycles, c.retention_months) * page.shift_factor;
}

double VthModel::share(double lowest, double x) const {
  if (centres_.size() == 2) return 1;  // there is only one programmed state, which is the top state
  return lowest + (1 - lowest) * (x - centres_[1]) / (centres_.back() - centres_[1]);
}

StateDistribution VthModel::state(std::uint32_t place, const CellCondition& c, const PageVariation& page,
                                  double step_mv) const {
  const PlacementParameters& placement = parameters_.placement;
  const double step = step_of(step_mv);
  const double tail = placement.tail_mv * wear_tail_factor(parameters_.wear, c.kilocycles) * page.width_factor;
  const double above_erased = centres_[place] - centres_[0];
  StateDistribution::Lift lift{.of_all = disturb_shift_mv(parameters_.disturb, c, above_erased),
                               .share = lifted_share(parameters_.disturb, c, above_erased),
                               .mean = parameters_.disturb.prone_lift_mv};

  StateShape shape(0, 1, 0, 0);
  if (place == 0) {
    lift.of_all += wear_erased_shift_mv(parameters_.wear, c.kilocycles);
    const double sigma =
        placement.erased_sigma_mv * wear_tail_factor(parameters_.wear, c.kilocycles) * page.width_factor;
    shape = StateShape(placement.erased_mean_mv, placement.erased_mean_mv, sigma, sigma);
  } else {
    const double spread = retention_tail_mv(parameters_.retention, c.kilocycles, c.retention_months) *
                          share(parameters_.retention.low_state_tail_share, centres_[place]) * page.width_factor;
    const double lo = verify_level(placement, place, step);
    shape = StateShape(lo, lo + step, std::hypot(tail * placement.low_tail_ratio, spread), tail);
  }

  const InterferenceParameters& g = parameters_.interference;
  NeighbourCoupling neighbours{{{1, 0}}, 0};
  if (g.any()) {
    std::vector<double> rises = {0};
    // The neighbours are assumed to be programmed with the same step as this wordline.
    for (std::uint32_t k = 1; k < places(); ++k) {
      rises.push_back(verify_level(placement, k, step) + step / 2 - centres_[0]);
    }
    neighbours = neighbour_coupling(g, rises, placement.erased_sigma_mv, step, place, c.adjusted);
  }

  const double s = drift(c, page);
  StateDistribution::Loss loss;
  loss.slope = s * (drift_share(1) - drift_share(0));
  loss.at_zero = s * drift_share(0);
  // Erased cells have no charge to lose, so the drift can raise their mean but not lower it.
  if (place == 0) loss.at_zero -= std::max(0.0, s * drift_share(centres_[0]));
  if (place != 0) loss.noise = loss_noise_mv(parameters_.retention, c.kilocycles);
  return {shape,
          place == 0 ? 0 : placement.pulse_noise_mv,
          telegraph_lambda_mv(parameters_.telegraph_noise, c.kilocycles,
                              retention_law(parameters_.retention, c.retention_months)),
          neighbours.gaussian,
          std::move(neighbours.shifts),
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
    // Without noise, the optimum is the voltage at which the two tails have the same density. The flat tops of both
    // states have the same density.
    const StateShape a = lower.drifted_shape();
    const StateShape b = upper.drifted_shape();
    if (a.sigma_high() + b.sigma_low() == 0) return 0.5 * (a.hi() + b.lo());
    return (a.hi() * b.sigma_low() + b.lo() * a.sigma_high()) / (a.sigma_high() + b.sigma_low());
  }
  const auto misreads = [&](double v) { return std::log(lower.most_above(v) + upper.most_below(v) + 1e-300); };
  const double a = lower.centre();
  const double b = upper.centre();
  std::uintmax_t iterations = 30;
  // A precision of 10 bits, a thousandth of the distance between the states, is enough because the minimum is flat.
  return boost::math::tools::brent_find_minima(misreads, a, b, 10, iterations).first;
}

double VthModel::default_level(std::uint32_t lower, std::uint32_t upper, const CellCondition& c, double step_mv) const {
  const ReadLevelParameters& levels = parameters_.read_levels;
  if (levels.kind == DefaultLevels::given && upper == lower + 1) {
    const double larger = step_of(step_mv) - parameters_.placement.step_mv;
    const double given = levels.given_mv[lower] - (lower == 0 ? levels.first_follows_step * larger : 0);
    // The given level includes the drift of the median wordline at the reference condition. This drift is removed
    // first, and then the drift at the condition `c` is added.
    const CellCondition at{.kilocycles = levels.given_at_kilocycles, .retention_months = levels.given_at_months};
    const double slope = drift_share(1) - drift_share(0);
    const double reference = drift(at, {});
    return followed((given + reference * drift_share(0)) / (1 - reference * slope), c);
  }
  const bool as_made = upper == lower + 1 && step_of(step_mv) == parameters_.placement.step_mv;
  const double fresh =
      as_made ? optimum_levels_[lower] : optimum(state(lower, {}, {}, step_mv), state(upper, {}, {}, step_mv));
  return levels.kind == DefaultLevels::followed ? followed(fresh, c) : fresh;
}

double VthModel::followed(double level, const CellCondition& c) const {
  return level - drift(c, {}) * drift_share(level);
}

std::vector<double> VthModel::default_levels(const Coding& coding, const CellCondition& c, double step_mv) const {
  std::vector<double> levels;
  for (std::uint32_t upper = 1; upper < coding.states(); ++upper) {
    levels.push_back(default_level(coding.place(upper - 1), coding.place(upper), c, step_mv));
  }
  return levels;
}

bool VthModel::captured(double drift_mv, double median_drift_mv, std::uint32_t retry_step) const {
  if (retry_step == best_levels) return true;
  const ReadLevelParameters& p = parameters_.read_levels;
  if (!p.tracking || retry_step == 0) return false;
  const double made_up = p.retry_table_mv.empty() ? retry_step * p.retry_step_mv : p.table_entry(retry_step).back();
  const double at_default = p.kind == DefaultLevels::followed ? median_drift_mv : 0;
  return std::abs(drift_mv - at_default - made_up) <= p.capture_range_mv;
}

std::vector<double> VthModel::retry_moves(const Coding& coding, std::uint32_t retry_step) const {
  const ReadLevelParameters& p = parameters_.read_levels;
  std::vector<double> moves;
  for (std::uint32_t upper = 1; upper < coding.states(); ++upper) {
    if (!p.retry_table_mv.empty()) {
      moves.push_back(retry_step == 0 ? 0 : p.table_entry(retry_step)[coding.place(upper) - 1]);
      continue;
    }
    const double middle = 0.5 * (centres_[coding.place(upper - 1)] + centres_[coding.place(upper)]);
    moves.push_back(retry_step * (p.retry_step_mv * drift_share(std::max(centres_[1], middle))));
  }
  return moves;
}

}  // namespace nandscape::nand

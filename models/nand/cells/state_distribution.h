// SPDX-License-Identifier: Apache-2.0
// The distribution of the threshold voltages V of one state at one condition. It includes all effects:
//
//   x = y + Laplace + Gaussian + coupling     y from the shape that ISPP leaves (state_shape.h, pulse noise included)
//   v = x + lift - loss(x) + N(0, g loss(x))  the drift is linear in x, see retention.h
//
// P(V < v) is evaluated at the voltage x that drifts to v, and the variance of the loss is also taken at this x. A few
// cells have an additional lift, which is exponentially distributed (see disturb.h). This lift, and the half-Gaussian
// tails of y if noise is added to them, are integrated numerically. Everything else is computed in closed form.
#pragma once

#include <vector>

#include "nand/cells/state_shape.h"

namespace nandscape::nand {

class StateDistribution {
 public:
  // A shift by the programming of the neighbours, and its probability. The constructor expects the shifts in ascending
  // order.
  struct Coupling {
    double probability = 1;
    double shift = 0;
  };
  // The lift by disturb. All cells are lifted by `of_all`. A share of the cells has an additional lift, which is
  // exponentially distributed with the given mean.
  struct Lift {
    double of_all = 0;
    double share = 0;
    double mean = 0;
  };
  // The mean loss of a cell, a linear function of its voltage: loss(x) = at_zero + slope x.
  struct Loss {
    double at_zero = 0;
    double slope = 0;
    double noise = 0;  // variance of the loss divided by its mean

    double of(double x) const { return at_zero + slope * x; }
  };

  // Throws std::domain_error if loss.slope >= 1, because cells of higher voltage would then lose so much more charge
  // that they would end up below cells of lower voltage.
  StateDistribution(StateShape shape, double pulse_noise, double lambda, double gaussian,
                    std::vector<Coupling> coupling, Lift lift, Loss loss);

  // Return P(V < v) and P(V > v). Each function is accurate in its own tail.
  double below(double v) const;
  double above(double v) const;
  // Returns P(a < V < b), accurate on both sides of the state. `a` and `b` may be infinite.
  double between(double a, double b) const;
  // Like below() and above(), but for the cells that have no additional lift.
  double most_below(double v) const;
  double most_above(double v) const;

  // Parameters of the distribution, as passed to the constructor.
  const StateShape& shape() const { return shape_; }
  double lambda() const { return lambda_; }
  const Lift& lift() const { return lift_; }
  const Loss& loss() const { return loss_; }

  // Returns the voltage to which a cell at x drifts, without noise.
  double drifted(double x) const { return x + lift_.of_all - loss_.of(x); }
  double centre() const { return drifted(0.5 * (shape_.lo() + shape_.hi())); }
  // Returns true if no noise is added to the shape. In this case, drifted_shape() is the distribution of the cells that
  // have no additional lift.
  bool noiseless() const;
  StateShape drifted_shape() const;

 private:
  double origin(double v) const { return (v - lift_.of_all + loss_.at_zero) / (1 - loss_.slope); }
  double noise_at(double x) const;
  double lifted_above(double v) const;
  int side(double x, double gaussian) const;
  double shape_below(double x, double gaussian) const;
  double shape_above(double x, double gaussian) const;

  StateShape shape_;
  double pulse_noise_;
  double lambda_;
  double gaussian_;
  std::vector<Coupling> coupling_;
  Lift lift_;
  Loss loss_;
};

}  // namespace nandscape::nand

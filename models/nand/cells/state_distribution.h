// SPDX-License-Identifier: Apache-2.0
// The distribution of the threshold voltages of one state at one condition, including every effect:
//
//   x = y + Laplace + Gaussian + coupling     y from the shape that ISPP leaves (state_shape.h, pulse noise included)
//   v = x + lift - loss(x) + N(0, g loss(x))  the drift is linear in x, see retention.h
//
// P(V < v) is evaluated at the x that drifts to v; the variance of the loss is taken there as well. A few cells lie
// higher by an exponentially distributed lift (disturb.h). The half-Gaussian tails of y are integrated numerically
// where noise is added to them, and so is that lift. All else is in closed form.
#pragma once

#include <vector>

#include "nand/cells/state_shape.h"

namespace nandscape::nand {

class StateDistribution {
 public:
  // Shift by the programming of the neighbours, with its probability. Coupling values are sorted by shift, ascending.
  struct Coupling {
    double probability = 1;
    double shift = 0;
  };
  // Lift of all cells, and of a few cells: a share of the cells lies higher by an exponential variate of the given
  // mean.
  struct Lift {
    double of_all = 0;
    double share = 0;
    double mean = 0;
  };
  // loss(x) = at_zero + slope x.
  struct Loss {
    double at_zero = 0;
    double slope = 0;
    double noise = 0;  // ratio of the variance to the mean

    double of(double x) const { return at_zero + slope * x; }
  };

  // Throws std::domain_error if loss.slope >= 1: cells of higher voltage would lose so much more that they end below
  // lower ones.
  StateDistribution(StateShape shape, double pulse_noise, double lambda, double gaussian,
                    std::vector<Coupling> coupling, Lift lift, Loss loss);

  // P(V < v) and P(V > v), each accurate in its tail.
  double below(double v) const;
  double above(double v) const;
  // P(a < V < b), accurate on both sides. Both ends may be infinite.
  double between(double a, double b) const;
  // The same without the lift of the few cells.
  double most_below(double v) const;
  double most_above(double v) const;

  // The components of the distribution.
  const StateShape& shape() const { return shape_; }
  double lambda() const { return lambda_; }
  const Lift& lift() const { return lift_; }
  const Loss& loss() const { return loss_; }

  // The voltage to which x drifts, without noise.
  double drifted(double x) const { return x + lift_.of_all - loss_.of(x); }
  double centre() const { return drifted(0.5 * (shape_.lo() + shape_.hi())); }
  // Whether no noise is added to the shape; drifted_shape() is then the distribution without the lift of the few cells.
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

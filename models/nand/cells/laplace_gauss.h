// SPDX-License-Identifier: Apache-2.0
// The distribution of the sum Z of a Laplace variate of mean size lambda and a Gaussian variate of standard deviation
// s, in closed form; either may be 0. Both tails keep their relative accuracy.
//
// Its density f satisfies f = g + lambda^2 f'' with the Gaussian density g, since the Laplace variate's characteristic
// function is 1/(1 + lambda^2 t^2). Hence P(Z < x) = G(x) + lambda^2 f'(x), and its integral up to x is the integral
// for the Gaussian plus lambda^2 f(x).
#pragma once

namespace nandscape::nand {

class LaplaceGauss {
 public:
  LaplaceGauss(double lambda, double s) : lambda_(lambda), s_(s) {}

  // P(Z < x); by symmetry P(Z > x) = below(-x).
  double below(double x) const;
  // E[(x - Z)+], the integral of below() up to x.
  double below_integral(double x) const;

 private:
  double lambda_;
  double s_;
};

}  // namespace nandscape::nand

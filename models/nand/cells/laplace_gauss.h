// SPDX-License-Identifier: Apache-2.0
// The distribution, in closed form, of the sum Z of a Laplace variate with mean absolute value lambda and a Gaussian
// variate with standard deviation s. lambda and s may be 0. The relative accuracy is preserved in both tails.
//
// The characteristic function of the Laplace variate is 1/(1 + lambda^2 t^2). The density f of Z therefore satisfies f
// = g + lambda^2 f'', where g is the Gaussian density. Hence P(Z < x) = G(x) + lambda^2 f'(x), where G is the Gaussian
// distribution function. The integral of P(Z < x) up to x is the integral of G plus lambda^2 f(x).
#pragma once

namespace nandscape::nand {

class LaplaceGauss {
 public:
  LaplaceGauss(double lambda, double s) : lambda_(lambda), s_(s) {}

  // P(Z < x); by symmetry P(Z > x) = below(-x).
  double below(double x) const;
  // Returns E[max(x - Z, 0)], which is the integral of below() up to x.
  double below_integral(double x) const;

 private:
  double lambda_;
  double s_;
};

}  // namespace nandscape::nand

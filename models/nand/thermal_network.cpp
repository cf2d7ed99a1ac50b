// SPDX-License-Identifier: Apache-2.0
#include "nand/thermal_network.h"

#include <cmath>

namespace nandscape::nand {

ThermalNetwork::ThermalNetwork(const ThermalParameters& p)
    : parameters_(p),
      case_case_(-(1 / p.case_k_per_w + 1 / p.packages_k_per_w) / p.case_j_per_k),
      case_packages_(1 / (p.packages_k_per_w * p.case_j_per_k)),
      packages_case_(1 / (p.packages_k_per_w * p.packages_j_per_k)),
      packages_packages_(-packages_case_),
      now_{p.ambient_c, p.ambient_c} {
  // The slow eigenvalue is the determinant over the fast one: the difference that defines it would cancel.
  const double half_difference = (case_case_ - packages_packages_) / 2;
  const double root = std::sqrt(half_difference * half_difference + case_packages_ * packages_case_);
  fast_ = (case_case_ + packages_packages_) / 2 - root;
  slow_ = 1 / (p.case_k_per_w * p.case_j_per_k * p.packages_k_per_w * p.packages_j_per_k) / fast_;
}

ThermalNetwork::Temperatures ThermalNetwork::steady(double packages_w, double rest_w) const {
  const double case_c = parameters_.ambient_c + parameters_.case_k_per_w * (packages_w + rest_w);
  return {case_c, case_c + parameters_.packages_k_per_w * packages_w};
}

// exp(A t) = (s f(t) - f s(t)) / (s - f) + A (s(t) - f(t)) / (s - f), with the eigenvalues s and f, and s(t) = exp(s
// t), f(t) = exp(f t) (Sylvester's formula).
void ThermalNetwork::step(double packages_w, double rest_w, double seconds) {
  const Temperatures target = steady(packages_w, rest_w);
  const double case_k = now_.case_c - target.case_c;
  const double packages_k = now_.packages_c - target.packages_c;
  const double slow = std::exp(slow_ * seconds);
  const double fast = std::exp(fast_ * seconds);
  const double of_one = (slow_ * fast - fast_ * slow) / (slow_ - fast_);
  const double of_matrix = (slow - fast) / (slow_ - fast_);
  now_.case_c = target.case_c + of_one * case_k + of_matrix * (case_case_ * case_k + case_packages_ * packages_k);
  now_.packages_c =
      target.packages_c + of_one * packages_k + of_matrix * (packages_case_ * case_k + packages_packages_ * packages_k);
}

}  // namespace nandscape::nand

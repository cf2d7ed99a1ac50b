// SPDX-License-Identifier: Apache-2.0
// The effect of retention time on programmed cells. Times are months at 30 C. Times at other temperatures are converted
// with Arrhenius' law,
//
//   t = t_real exp(Ea/k (1/303.15 K - 1/T)).
//
// Drift. A cell at the centre of the top state loses S = (s + w (PEC/1000)^q) L(t), where L(t) is either ln(1 + t/t0)
// or (t/12)^m. All other cells lose a share of S that depends linearly on their voltage x. The share is 1 at the centre
// of the top state and `low_state_share` at the centre of the lowest programmed state. If `low_state_share` is
// negative, low states drift up while high states drift down.
//
//   loss(x) = S share(x),  share(x) = r + (1 - r) (x - c_1) / (c_top - c_1)
//
// Erased cells follow the same line but have no charge to lose. If the line would lower their mean, the mean does not
// change.
//
// Spread. A few cells lose much more charge than others, so the lower tail widens [Liu 2012, eq. 5],
//
//   sigma_low(t)^2 = sigma_low(0)^2 + (u tail_share(c_k))^2 (1 + b (PEC/1000)^p) (t/12)^n (1 - exp(-t/t1)),
//
// where tail_share is a linear function like share. It is 1 at the top state and `low_state_tail_share` at the lowest
// programmed state. The last factor delays the widening, which would otherwise begin too early if n is small. It is
// omitted if t1 is 0. The loss of a cell is the sum of a random number of charges, so its variance is proportional to
// its mean, as in the model of [Pan 2011, "Exploiting memory device wear-out dynamics", FAST]: variance = g
// (PEC/1000)^h loss(x).
#pragma once

#include <cmath>

#include "core/parameters.h"
#include "core/ticks.h"

namespace nandscape::nand {

enum class RetentionLaw { logarithm, power };

struct RetentionParameters {
  RetentionLaw law = RetentionLaw::logarithm;
  double time_constant_months = 0.01;
  double time_exponent = 0.2;
  double shift_mv = 0;
  double wear_shift_mv = 0;
  double wear_exponent = 1;
  double low_state_share = 1;
  double tail_mv = 0;
  double tail_exponent = 1;
  double low_state_tail_share = 1;
  double tail_wear = 0;
  double tail_wear_exponent = 1;
  double tail_onset_months = 0;
  double loss_noise_mv = 0;
  double loss_noise_exponent = 0;
  double activation_energy_ev = 1.1;
};

inline void describe(RetentionParameters& p, ParameterVisitor& v) {
  v.choice("law", p.law, {{"logarithm", "L(t) = ln(1 + t/t0)"}, {"power", "L(t) = (t/12 months)^m"}},
           "how the drift grows with time");
  v.real("time_constant_months", p.time_constant_months, {1e-6, 1000}, "months", "t0 of the logarithmic law");
  v.real("time_exponent", p.time_exponent, {0.001, 10}, "", "m of the power law");
  v.real("shift_mv", p.shift_mv, {0, 10000}, "mv", "drift of the top state for L(t) = 1 without program/erase cycles");
  v.real("wear_shift_mv", p.wear_shift_mv, {0, 10000}, "mv", "drift that 1000 cycles add to shift_mv");
  v.real("wear_exponent", p.wear_exponent, {0.01, 10}, "", "power of the cycles in the growth of the drift");
  v.real("low_state_share", p.low_state_share, {-10, 1}, "",
         "drift of the lowest programmed state, relative to the top state's");
  v.real("tail_mv", p.tail_mv, {0, 10000}, "mv",
         "width that 12 months add (in squares) to the top state's lower tail without program/erase cycles");
  v.real("tail_exponent", p.tail_exponent, {0.01, 10}, "", "power of time in the growth of the square of that width");
  v.real("low_state_tail_share", p.low_state_tail_share, {0, 10}, "",
         "tail width of the lowest programmed state, relative to the top state's");
  v.real("tail_wear", p.tail_wear, {0, 1000}, "", "relative growth of the square of the tail width at 1000 cycles");
  v.real("tail_wear_exponent", p.tail_wear_exponent, {0.01, 10}, "", "power of the cycles in the growth of the tail");
  v.real("tail_onset_months", p.tail_onset_months, {0, 1000}, "months",
         "time t1 after which the tail has reached 63 % of its law; 0: at once");
  v.real("loss_noise_mv", p.loss_noise_mv, {0, 10000}, "mv",
         "ratio of the variance of a cell's loss to its mean, at 1000 cycles");
  v.real("loss_noise_exponent", p.loss_noise_exponent, {0, 10}, "", "power of the cycles in the growth of that ratio");
  v.real("activation_energy_ev", p.activation_energy_ev, {0.1, 3}, "ev", "activation energy of charge loss");
}

// Returns L(t), the law by which the drift grows with time. The lower tail has a law of its own: retention_tail_mv().
inline double retention_law(const RetentionParameters& p, double months) {
  return p.law == RetentionLaw::logarithm ? std::log1p(months / p.time_constant_months)
                                          : std::pow(months / 12, p.time_exponent);
}

// Returns S, the drift of the top state of the median wordline, in mV.
inline double retention_shift_mv(const RetentionParameters& p, double kilocycles, double months) {
  return (p.shift_mv + p.wear_shift_mv * std::pow(kilocycles, p.wear_exponent)) * retention_law(p, months);
}

// Returns the width, in mV, that retention adds to the lower tail of the top state. It is added in quadrature.
inline double retention_tail_mv(const RetentionParameters& p, double kilocycles, double months) {
  const double wear = p.tail_wear == 0 ? 1 : 1 + p.tail_wear * std::pow(kilocycles, p.tail_wear_exponent);
  const double onset = p.tail_onset_months > 0 ? -std::expm1(-months / p.tail_onset_months) : 1;
  return p.tail_mv * std::sqrt(wear * onset) * std::pow(months / 12, p.tail_exponent / 2);
}

inline double loss_noise_mv(const RetentionParameters& p, double kilocycles) {
  return p.loss_noise_mv * std::pow(kilocycles, p.loss_noise_exponent);
}

// Returns the factor by which charge is lost faster at `storage_c` than at 30 C.
inline double arrhenius_factor(const RetentionParameters& p, double storage_c) {
  constexpr double boltzmann_ev_per_k = 8.617e-5;
  return std::exp(p.activation_energy_ev / boltzmann_ev_per_k * (1 / 303.15 - 1 / (storage_c + 273.15)));
}

}  // namespace nandscape::nand

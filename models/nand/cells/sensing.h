// SPDX-License-Identifier: Apache-2.0
// The bit errors that occur if the phases of a sense are too short. The bitline must be charged (tPRE), the current of
// the cell must discharge the sense node (tEVAL), and the bitline must be discharged again (tDISCH). The times that
// bitlines and cells need for this have lognormal distributions. Charge that is left on the bitline makes the next
// precharge less effective.
//
//   q_off = Q((ln(t_eff/tp) - x - cT cold)/sp) + Q((ln(tDISCH/td) - x)/sd)     a cell that is off is read as on
//   q_on  = Q((ln(tEVAL/te) - ceT cold - cew (PEC/2000)^q)/se)                 a cell that is on is read as off
//   t_eff = tPRE - B (exp((tD0 - tDISCH)/tau) - 1),   x = cw (PEC/2000)^q + cr S/600 mV
//   cold  = ((85 C - T)/55 C)^g, 0 above 85 C
//
// Q is the upper tail of the normal distribution, tD0 is the default tDISCH of the device, and S is the drift of the
// page. [Park 2021, "Reducing Solid-State Drive Read Latency by Optimizing Read-Retry", section 5] measured that cells
// are slower at low temperatures, because electrons are less mobile in the poly-silicon channel. They also measured
// that reductions of tPRE and tDISCH reinforce each other. The constants are fitted to the figures of that paper. The
// misreads of different senses are assumed to be independent.
#pragma once

#include <algorithm>
#include <cmath>

#include "core/parameters.h"
#include "nand/cells/condition.h"
#include "nand/cells/sense_timing.h"
#include "nand/coding/coding.h"

namespace nandscape::nand {

struct SensingParameters {
  double precharge_median_us = 0;
  double precharge_sigma = 0.4;
  double precharge_cold = 0;
  double discharge_median_us = 0;
  double discharge_sigma = 0.4;
  double residual_us = 0;
  double residual_time_us = 3;
  double evaluation_median_us = 0;
  double evaluation_sigma = 0.25;
  double evaluation_cold = 0;
  double evaluation_wear = 0;
  double wear = 0;
  double drift = 0;
  double wear_exponent = 1;
  double cold_exponent = 0.5;
};

inline void describe(SensingParameters& p, ParameterVisitor& v) {
  constexpr RealRange time = {0, 1000};
  constexpr RealRange number = {0, 100};
  v.real("precharge_median_us", p.precharge_median_us, time, "us",
         "median time to charge a bitline; 0: never too short");
  v.real("precharge_sigma", p.precharge_sigma, {0.001, 10}, "", "standard deviation of the logarithm of that time");
  v.real("precharge_cold", p.precharge_cold, number, "", "increase of that logarithm at 30 C, compared with 85 C");
  v.real("discharge_median_us", p.discharge_median_us, time, "us",
         "median time to empty a bitline; 0: never too short");
  v.real("discharge_sigma", p.discharge_sigma, {0.001, 10}, "", "standard deviation of the logarithm of that time");
  v.real("residual_us", p.residual_us, time, "us",
         "precharge time lost to residual charge when tDISCH is cut by tau ln 2");
  v.real("residual_time_us", p.residual_time_us, {0.001, 1000}, "us", "time constant tau of an emptying bitline");
  v.real("evaluation_median_us", p.evaluation_median_us, time, "us",
         "median time in which a conducting cell discharges the sense node; 0: never too short");
  v.real("evaluation_sigma", p.evaluation_sigma, {0.001, 10}, "", "standard deviation of the logarithm of that time");
  v.real("evaluation_cold", p.evaluation_cold, number, "", "increase of that logarithm at 30 C, compared with 85 C");
  v.real("evaluation_wear", p.evaluation_wear, number, "", "increase of that logarithm at 2000 cycles");
  v.real("wear", p.wear, number, "", "increase of the logarithms of precharge and discharge time at 2000 cycles");
  v.real("drift", p.drift, number, "", "increase of these logarithms at a retention drift of 600 mV");
  v.real("wear_exponent", p.wear_exponent, {0.01, 10}, "", "power of the cycles in the increases by wear");
  v.real("cold_exponent", p.cold_exponent, {0.01, 10}, "", "power of the distance to 85 C in the increases by cold");
}

struct SenseMisreads {
  double off_as_on = 0;
  double on_as_off = 0;
};

// Computes the misread probabilities of one sense. `standard` contains the default times of the device, and `drift_mv`
// is the drift S of the page.
inline SenseMisreads sense_misreads(const SensingParameters& p, const SenseTiming& timing, const SenseTiming& standard,
                                    const CellCondition& c, double drift_mv) {
  const auto upper_tail = [](double z) { return 0.5 * std::erfc(z * 0.70710678118654752440); };
  // If a phase has no time left, it fails for every cell.
  const auto too_short = [&](double time, double median, double slower, double sigma) {
    if (median == 0) return 0.0;
    return time <= 0 ? 1.0 : upper_tail((std::log(time / median) - slower) / sigma);
  };
  const double worn = std::pow(c.kilocycles / 2, p.wear_exponent);
  const double slower = p.wear * worn + p.drift * drift_mv / 600;
  const double cold = std::pow(std::max(0.0, (85 - c.read_temperature_c) / 55), p.cold_exponent);
  const double left = p.residual_us * std::expm1((standard.t_disch_us - timing.t_disch_us) / p.residual_time_us);
  SenseMisreads q;
  q.off_as_on =
      too_short(timing.t_pre_us - left, p.precharge_median_us, slower + p.precharge_cold * cold, p.precharge_sigma) +
      too_short(timing.t_disch_us, p.discharge_median_us, slower, p.discharge_sigma);
  q.on_as_off = too_short(timing.t_eval_us, p.evaluation_median_us, p.evaluation_cold * cold + p.evaluation_wear * worn,
                          p.evaluation_sigma);
  q.off_as_on = std::min(q.off_as_on, 1.0);
  return q;
}

// Returns the misread probability of a page, assuming that all states of the coding are equally likely. Each sense of
// the page may invert the bit.
inline double misread_by_sensing(const SensingParameters& p, const Coding& coding, std::uint32_t page_type,
                                 const SenseTiming& timing, const SenseTiming& standard, const CellCondition& c,
                                 double drift_mv) {
  const SenseMisreads q = sense_misreads(p, timing, standard, c, drift_mv);
  double sum = 0;
  for (const std::uint8_t level : coding.levels(page_type)) {
    const double below = static_cast<double>(level) / coding.states();
    sum += (1 - below) * q.off_as_on + below * q.on_as_off;
  }
  return sum;
}

}  // namespace nandscape::nand

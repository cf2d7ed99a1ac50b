// SPDX-License-Identifier: Apache-2.0
// Bad blocks and failing operations. Some blocks are bad when a die leaves its factory. Erases and programs fail as
// blocks wear out. Each operation on a block fails with a probability that grows with the program/erase cycles (PEC) of
// the block,
//
//   P(PEC) = P_rated (PEC/PEC_rated)^e.
//
// This is the hazard rate of a Weibull distribution with the shape e + 1. Endurance data are reported in this form
// (JESD22-A117).
#pragma once

#include <algorithm>
#include <cmath>

#include "core/parameters.h"

namespace nandscape::nand {

struct FailureParameters {
  double factory_bad_fraction = 0;
  double rated_cycles = 3000;
  double program_failure = 0;
  double erase_failure = 0;
  double wear_exponent = 4;
};

inline void describe(FailureParameters& p, ParameterVisitor& v) {
  v.real("factory_bad_fraction", p.factory_bad_fraction, {0, 0.5}, "",
         "share of blocks that are bad when the die leaves the factory");
  v.real("rated_cycles", p.rated_cycles, {1, 1e9}, "",
         "rated program/erase cycles of a block: at them, program_failure and erase_failure hold, and the life of the "
         "drive counts as used up (SMART log, endurance)");
  v.real("program_failure", p.program_failure, {0, 1}, "",
         "probability that programming a page fails at the rated cycles");
  v.real("erase_failure", p.erase_failure, {0, 1}, "", "probability that erasing a block fails at the rated cycles");
  v.real("wear_exponent", p.wear_exponent, {0, 100}, "", "power of the cycles in the growth of both probabilities");
}

inline double failure_probability(const FailureParameters& p, double at_rated, double cycles) {
  return std::min(1.0, at_rated * std::pow(cycles / p.rated_cycles, p.wear_exponent));
}

}  // namespace nandscape::nand

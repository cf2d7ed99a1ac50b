// SPDX-License-Identifier: Apache-2.0
// The growth of raw bit errors of a worn-out block with retention time: equations 7 to 12 and Algorithm 2 of Liu, Yang
// and Wu, "Optimizing NAND Flash-Based SSDs via Retention Relaxation" (FAST 2012). Times are in years; data must be
// kept for one year. The defaults are the paper's typical case.
#pragma once

#include <optional>

namespace nandscape {

struct ErrorRates {
  double at_one_year = 4.5e-4;     // RBER(t_max), equation 8
  double exponent = 1.25;          // m
  double one_year_to_write = 300;  // C_write, RBER(t_max) over RBER(0)
  double write_high_share = 0.81;  // C_write_high: share of write errors above the intended level

  double write() const { return at_one_year / one_year_to_write; }
  double write_high() const { return write() * write_high_share; }
  double write_low() const { return write() * (1 - write_high_share); }
  double retention() const { return at_one_year - write(); }  // in the first year

  // RBER(t).
  double after(double years) const;
};

// Algorithm 2: for how many years a code that corrects up to `correctable_rber` retains data; none if it cannot correct
// the write errors.
std::optional<double> data_retention(const ErrorRates& rates, double correctable_rber);

}  // namespace nandscape

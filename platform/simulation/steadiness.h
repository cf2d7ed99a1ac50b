// SPDX-License-Identifier: Apache-2.0
// Describes whether the statistics of a measured window show a steady state, or a transient that depends on the length
// of the run. SteadyState (steady_state.h) computes it.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "platform/blocks/stock.h"

namespace nandscape {

// The spread of five consecutive values, divided by their mean. `range` is the maximum minus the minimum. `slope` is
// the rise of a fitted line from the first to the last value. Both are 0 if the mean is 0.
struct Spread {
  double range = 0;
  double slope = 0;
};

// The change of a stock of the drive (platform/blocks/stock.h) over a period.
struct StockChange {
  Stock stock;          // at the end
  double bytes = 0;     // growth
  double share = 0;     // growth divided by the bytes that the host wrote in the period
  bool drifts = false;  // the stock changes by more than a steady state explains
  bool known = true;    // whether the host wrote enough to distinguish a drift from the fluctuation of a steady state
};
// The steadiness of a run's measured window.
struct Steadiness {
  std::uint64_t requests = 0;
  double drive_writes = 0;       // data written divided by the capacity
  std::string figure;            // dotted name of the tested statistic
  std::optional<Spread> spread;  // spread over the last five rounds; none if these rounds have too few requests
  // Whether requests arrive at given times, so that their rate does not depend on the drive.
  bool rate_is_given = false;
  std::optional<double> since_s;  // simulated time at which the figure became steady; none if it is not steady
  std::vector<StockChange> drifting;
  std::vector<std::string> unknown;  // stocks that cannot be judged, because the host wrote too little
  bool warming = false;              // the workloads ended before the warm-up
  double range_limit = 0;
  double slope_limit = 0;

  // Returns whether the figure passes SNIA's test and every stock is known not to drift.
  bool steady() const;
  // Returns whether the figures of the window depend on its length, because a stock drifts or the figure rises or
  // falls.
  bool transient() const;
  // Returns the verdict as text without a full stop, such as "steady since 4.2 s" or "not steady: host.iops falls by 31
  // % over the last five rounds".
  std::string text() const;
};

}  // namespace nandscape

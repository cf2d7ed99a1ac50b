// SPDX-License-Identifier: Apache-2.0
// Whether the statistics of a measured window describe a steady state, or a transient that depends on the length of the
// run. SteadyState (steady_state.h) determines it.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "platform/blocks/stock.h"

namespace nandscape {

// The spread of five consecutive values, divided by their mean. `range` is the maximum less the minimum; `slope` is the
// rise of the fitted line from the first value to the last. Both are 0 if the mean is 0.
struct Spread {
  double range = 0;
  double slope = 0;
};

// The change of a stock of the drive over a period.
struct StockChange {
  Stock stock;          // at the end
  double bytes = 0;     // growth
  double share = 0;     // ratio of the growth to the bytes that the host wrote in the period
  bool drifts = false;  // more than a steady state explains
  bool known = true;    // the host wrote enough to tell a drift from the fluctuation of a steady state
};
// The steadiness of a run's measured window.
struct Steadiness {
  std::uint64_t requests = 0;
  double drive_writes = 0;        // ratio of the data written to the capacity
  std::string figure;             // dotted name of the tested statistic
  std::optional<Spread> spread;   // over the last five rounds; none if they have too few requests
  bool rate_is_given = false;     // requests arrive at given times, so their rate does not follow the drive
  std::optional<double> since_s;  // simulated time since which the figure has been steady
  std::vector<StockChange> drifting;
  std::vector<std::string> unknown;  // stocks that cannot be judged, since the host wrote too little
  bool warming = false;              // the workloads ended before the warm-up
  double range_limit = 0;
  double slope_limit = 0;

  // Whether the figure passes SNIA's test, and every stock is known not to drift.
  bool steady() const;
  // Whether the figures of the window depend on its length: a stock drifts, or the figure rises or falls.
  bool transient() const;
  // As text without a full stop: "steady since 4.2 s", "not steady: host.iops falls by 31 % over the last five rounds".
  std::string text() const;
};

}  // namespace nandscape

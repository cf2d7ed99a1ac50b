// SPDX-License-Identifier: Apache-2.0
// What can be said of a measured window: whether its figures are those of a steady state, or of a transient that
// depends on how long the run is. SteadyState (steady_state.h) finds it out.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "platform/blocks/stock.h"

namespace nandscape {

// Five values in a row, as shares of their mean: the distance of the greatest from the least, and by how much the line
// through them rises from the first to the last. Both 0 where the mean is 0.
struct Spread {
  double range = 0;
  double slope = 0;
};

// A stock of the drive over some time.
struct StockChange {
  Stock stock;          // at the end
  double bytes = 0;     // by which it grew
  double share = 0;     // of what the host wrote meanwhile
  bool drifts = false;  // more than a steady state explains
  bool known = true;    // the host wrote enough to tell a drift from the fluctuation of a steady state
};
// What can be said of a run's measured window.
struct Steadiness {
  std::uint64_t requests = 0;
  double drive_writes = 0;        // data written over the capacity
  std::string figure;             // by its dotted name
  std::optional<Spread> spread;   // over the last five rounds; none when they hold too few requests
  bool rate_is_given = false;     // the host's rate does not follow the drive: requests come at given times
  std::optional<double> since_s;  // the figure has been steady since that simulated time
  std::vector<StockChange> drifting;
  std::vector<std::string> unknown;  // stocks of which too little was written to tell
  bool warming = false;              // the warm-up had not ended with the workloads
  double range_limit = 0;
  double slope_limit = 0;

  // The figure passes SNIA's test, and every stock is known not to drift.
  bool steady() const;
  // The window's figures depend on its length: a stock drifts, or the figure rises or falls.
  bool transient() const;
  // In words, without a full stop: "steady since 4.2 s", "not steady: host.iops falls by 31 % over the last five
  // rounds".
  std::string text() const;
};

}  // namespace nandscape

// SPDX-License-Identifier: Apache-2.0
// The measured window: from the end of the warm-up (simulation.warmup) to the completion of the workloads' last
// request. All statistics cover this window. Earlier work is excluded, for example the bring-up of the controller or
// the history of a restored drive. Background work of the drive after the window is reported separately.
//
// Counters are never reset: the statistics of a window are the differences between the counters at its end and at its
// beginning.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/statistics.h"
#include "core/ticks.h"
#include "core/value.h"
#include "platform/blocks/busy_times.h"
#include "platform/blocks/stock.h"
#include "platform/simulation/request_recorder.h"

namespace nandscape {

// The counters at one time of the simulation.
struct Moment {
  Tick at = 0;
  RequestTotals requests;
  StatisticsSnapshot drive;  // counters of link, drive, energy and power
  BusyTimes busy;
  Stocks stocks;
};

class MeasuredWindow {
 public:
  // Begins the window. If this function is never called, the window begins at construction.
  void begin(Moment at) {
    begin_ = std::move(at);
    end_.reset();
  }
  void end(Moment at) { end_ = std::move(at); }
  // Opens the window again. Called when the user issues commands after the workloads have ended, so that the window
  // includes these commands.
  void reopen() { end_.reset(); }

  const std::optional<Moment>& beginning() const { return begin_; }
  const std::optional<Moment>& ending() const { return end_; }

 private:
  std::optional<Moment> begin_;
  std::optional<Moment> end_;
};

// Returns the statistics between two moments: the group `host`, the groups of the drive, and the group `energy`. If
// `begin` is null, they cover the time since the beginning of the simulation. `workloads` contains the names of the
// workloads.
Value figures_between(const Moment* begin, const Moment& end, const std::vector<std::string>& workloads);

// For each kind of resource, the share of a window in which its units were in use.
struct BusyShares {
  struct Unit {
    std::string name;
    double share = 0;
  };
  struct Kind {
    std::string name;
    std::string meaning;
    std::vector<Unit> units;
  };
  std::vector<Kind> kinds;
};
// Computes the shares between two moments. If `begin` is null, they cover the time since the beginning of the
// simulation.
BusyShares busy_shares(const Moment* begin, const Moment& end);

// A group of statistics with the share of the busiest unit of each kind.
struct BusiestUnits {
  const BusyShares& shares;
};
void describe(const BusiestUnits& group, StatisticsVisitor& visitor);

void describe(const BusyShares::Kind& kind, StatisticsVisitor& visitor);

// A group of statistics with the share of each unit.
struct AllUnits {
  const BusyShares& shares;
};
void describe(const AllUnits& group, StatisticsVisitor& visitor);

}  // namespace nandscape

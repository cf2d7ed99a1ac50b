// SPDX-License-Identifier: Apache-2.0
// Which resources were in use while the workloads ran: from their start until the completion of their last request.
// What was before does not count, such as bringing the controller up, or all that a restored drive had done; nor does
// what the drive does of its own accord afterwards. Without workloads, it is the time since the beginning.
#pragma once

#include <optional>
#include <utility>
#include <vector>

#include "core/statistics.h"
#include "platform/blocks/busy_times.h"

namespace nandscape {

class MeasuredSpan {
 public:
  void begin(Tick now, BusyTimes busy) {
    begin_ = {now, std::move(busy)};
    end_.reset();
  }
  void end(Tick now, BusyTimes busy) { end_ = {now, std::move(busy)}; }

  // The shares of it in which resources were in use; as long as it has not ended, until now.
  struct Unit {
    std::string name;
    double share = 0;
  };
  struct Kind {
    std::string name;
    std::string meaning;
    std::vector<Unit> units;
  };
  std::vector<Kind> shares(Tick now, const BusyTimes& busy) const;

 private:
  struct Moment {
    Tick at = 0;
    BusyTimes busy;
  };

  Moment begin_;
  std::optional<Moment> end_;
};

// A group of statistics: of each kind, the share of the busiest one.
struct BusiestUnits {
  const std::vector<MeasuredSpan::Kind>& kinds;
};
void describe(const BusiestUnits& group, StatisticsVisitor& visitor);

void describe(const MeasuredSpan::Kind& kind, StatisticsVisitor& visitor);
// And of each of them.
struct AllUnits {
  const std::vector<MeasuredSpan::Kind>& kinds;
};
void describe(const AllUnits& group, StatisticsVisitor& visitor);

}  // namespace nandscape

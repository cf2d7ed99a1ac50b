// SPDX-License-Identifier: Apache-2.0
#include "platform/simulation/measured_span.h"

#include <algorithm>

namespace nandscape {

std::vector<MeasuredSpan::Kind> MeasuredSpan::shares(Tick now, const BusyTimes& busy) const {
  const Tick span = (end_ ? end_->at : now) - begin_.at;
  const std::vector<BusyTimes::Kind>& before = begin_.busy.kinds();
  const std::vector<BusyTimes::Kind>& after = end_ ? end_->busy.kinds() : busy.kinds();
  std::vector<Kind> kinds;
  for (std::size_t k = 0; k < after.size(); ++k) {
    Kind& kind = kinds.emplace_back(Kind{after[k].name, after[k].meaning, {}});
    for (std::size_t u = 0; u < after[k].units.size(); ++u) {
      const double used = static_cast<double>(after[k].units[u].busy) - static_cast<double>(before[k].units[u].busy);
      // What is under way at the end was counted as a whole when it began.
      const double share = span == 0 ? 0 : std::clamp(used / static_cast<double>(span), 0.0, 1.0);
      kind.units.push_back({after[k].units[u].name, share});
    }
  }
  return kinds;
}

void describe(const BusiestUnits& group, StatisticsVisitor& v) {
  for (const MeasuredSpan::Kind& kind : group.kinds) {
    double busiest = 0;
    for (const MeasuredSpan::Unit& unit : kind.units) busiest = std::max(busiest, unit.share);
    v.real(kind.name, busiest, "", kind.meaning);
  }
}

void describe(const MeasuredSpan::Kind& kind, StatisticsVisitor& v) {
  for (const MeasuredSpan::Unit& unit : kind.units) v.real(unit.name, unit.share, "", "that one");
}

void describe(const AllUnits& group, StatisticsVisitor& v) {
  for (const MeasuredSpan::Kind& kind : group.kinds) {
    if (kind.units.size() == 1 && kind.units.front().name.empty()) {
      v.real(kind.name, kind.units.front().share, "", kind.meaning);
    } else {
      v.group(kind.name, kind, "each of them, by its number or name");
    }
  }
}

}  // namespace nandscape

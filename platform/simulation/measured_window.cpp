// SPDX-License-Identifier: Apache-2.0
#include "platform/simulation/measured_window.h"

#include <algorithm>

namespace nandscape {

BusyShares busy_shares(const Moment* begin, const Moment& end) {
  const Tick span = end.at - (begin == nullptr ? 0 : begin->at);
  const std::vector<BusyTimes::Kind>& after = end.busy.kinds();
  BusyShares shares;
  for (std::size_t k = 0; k < after.size(); ++k) {
    BusyShares::Kind& kind = shares.kinds.emplace_back(BusyShares::Kind{after[k].name, after[k].meaning, {}});
    for (std::size_t u = 0; u < after[k].units.size(); ++u) {
      const Tick before = begin == nullptr ? 0 : begin->busy.kinds()[k].units[u].busy;
      const double used = static_cast<double>(after[k].units[u].busy) - static_cast<double>(before);
      // A use of a resource is counted completely when it begins, even if it ends after the window. The share may
      // therefore exceed 1, and is limited to 1.
      const double share = span == 0 ? 0 : std::clamp(used / static_cast<double>(span), 0.0, 1.0);
      kind.units.push_back({after[k].units[u].name, share});
    }
  }
  return shares;
}

void describe(const BusiestUnits& group, StatisticsVisitor& v) {
  for (const BusyShares::Kind& kind : group.shares.kinds) {
    double busiest = 0;
    for (const BusyShares::Unit& unit : kind.units) busiest = std::max(busiest, unit.share);
    v.level(kind.name, busiest, "", kind.meaning);
  }
}

void describe(const BusyShares::Kind& kind, StatisticsVisitor& v) {
  for (const BusyShares::Unit& unit : kind.units) v.level(unit.name, unit.share, "", "share of this unit");
}

void describe(const AllUnits& group, StatisticsVisitor& v) {
  for (const BusyShares::Kind& kind : group.shares.kinds) {
    if (kind.units.size() == 1 && kind.units.front().name.empty()) {
      v.level(kind.name, kind.units.front().share, "", kind.meaning);
    } else {
      v.group(kind.name, kind, "each unit, by its number or name");
    }
  }
}

Value figures_between(const Moment* begin, const Moment& end, const std::vector<std::string>& workloads) {
  const RequestTotals requests = begin == nullptr ? end.requests : end.requests.since(begin->requests, begin->at);
  StatisticsSnapshot of_requests;
  of_requests.group("host", RequestGroup{requests, workloads}, "");
  Value figures = of_requests.result();
  const Value of_drive = begin == nullptr ? end.drive.result() : end.drive.since(begin->drive);
  for (const auto& [name, group] : *of_drive.map_items()) {
    const Value::Map* const entries = group.map_items();
    if (entries == nullptr) {
      figures[name] = group;
      continue;
    }
    for (const auto& [key, entry] : *entries) figures[name][key] = entry;
  }
  return figures;
}

}  // namespace nandscape

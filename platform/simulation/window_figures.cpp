// SPDX-License-Identifier: Apache-2.0
#include "platform/simulation/window_figures.h"

#include "core/statistics.h"

namespace nandscape {

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

// SPDX-License-Identifier: Apache-2.0
#include "core/statistics.h"

namespace nandscape {

void StatisticsSnapshot::count(std::string_view name, std::uint64_t value, std::string_view) {
  (*path_.back())[name] = Value(value);
}

void StatisticsSnapshot::real(std::string_view name, double value, std::string_view, std::string_view) {
  (*path_.back())[name] = Value(value);
}

void StatisticsSnapshot::latency(std::string_view name, const LatencyHistogram& histogram, std::string_view) {
  Value& figures = (*path_.back())[name];
  figures["mean"] = histogram.mean() * 1e-6;
  figures["p50"] = us_from_ticks(histogram.quantile(0.5));
  figures["p90"] = us_from_ticks(histogram.quantile(0.9));
  figures["p99"] = us_from_ticks(histogram.quantile(0.99));
  figures["p999"] = us_from_ticks(histogram.quantile(0.999));
  figures["p9999"] = us_from_ticks(histogram.quantile(0.9999));
  figures["max"] = us_from_ticks(histogram.maximum());
}

void StatisticsSnapshot::enter_group(std::string_view name, std::string_view) {
  // Maps keep their entries in a vector that may move when it grows, but only the innermost open map grows.
  Value& group = (*path_.back())[name];
  if (group.is_null()) group = Value::map();
  path_.push_back(&group);
}

void StatisticsSnapshot::leave_group() { path_.pop_back(); }

}  // namespace nandscape

// SPDX-License-Identifier: Apache-2.0
#include "core/statistics.h"

#include <utility>

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

void StatisticsReference::add(std::string_view name, std::string_view unit, std::string_view meaning) {
  Value row = Value::map();
  row["name"] = Value((path_.empty() ? std::string() : path_.back()) + std::string(name));
  row["unit"] = Value(std::string(unit));
  row["meaning"] = Value(std::string(meaning));
  rows_.push_back(std::move(row));
}

void StatisticsReference::count(std::string_view name, std::uint64_t, std::string_view meaning) {
  add(name, "", meaning);
}

void StatisticsReference::real(std::string_view name, double, std::string_view unit, std::string_view meaning) {
  add(name, unit, meaning);
}

void StatisticsReference::latency(std::string_view name, const LatencyHistogram&, std::string_view meaning) {
  add(name, "us", std::string(meaning) + ": mean, p50, p90, p99, p999, p9999, max");
}

void StatisticsReference::enter_group(std::string_view name, std::string_view meaning) {
  add(name, "", meaning);
  path_.push_back((path_.empty() ? std::string() : path_.back()) + std::string(name) + ".");
}

void StatisticsReference::leave_group() { path_.pop_back(); }

}  // namespace nandscape

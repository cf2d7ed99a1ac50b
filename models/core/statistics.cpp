// SPDX-License-Identifier: Apache-2.0
#include "core/statistics.h"

#include <utility>

namespace nandscape {

namespace {

void set_latency(Value& figures, const LatencyHistogram& histogram) {
  figures["mean"] = histogram.mean() * 1e-6;
  figures["p50"] = us_from_ticks(histogram.quantile(0.5));
  figures["p90"] = us_from_ticks(histogram.quantile(0.9));
  figures["p99"] = us_from_ticks(histogram.quantile(0.99));
  figures["p999"] = us_from_ticks(histogram.quantile(0.999));
  figures["p9999"] = us_from_ticks(histogram.quantile(0.9999));
  figures["max"] = us_from_ticks(histogram.maximum());
}

}  // namespace

void StatisticsSnapshot::count(std::string_view name, std::uint64_t value, std::string_view) {
  figures_.push_back({Kind::count, std::string(name), value});
}

void StatisticsSnapshot::amount(std::string_view name, double value, std::string_view, std::string_view) {
  figures_.push_back({Kind::amount, std::string(name), 0, value});
}

void StatisticsSnapshot::ratio(std::string_view name, double numerator, double denominator, std::string_view,
                               std::string_view) {
  figures_.push_back({Kind::ratio, std::string(name), 0, numerator, denominator});
}

void StatisticsSnapshot::level(std::string_view name, std::uint64_t value, std::string_view) {
  figures_.push_back({Kind::integer_level, std::string(name), value});
}

void StatisticsSnapshot::level(std::string_view name, double value, std::string_view, std::string_view) {
  figures_.push_back({Kind::real_level, std::string(name), 0, value});
}

void StatisticsSnapshot::latency(std::string_view name, const LatencyHistogram& histogram, std::string_view) {
  figures_.push_back({Kind::latency, std::string(name), 0, 0, 0, histograms_.size()});
  histograms_.push_back(histogram);
}

void StatisticsSnapshot::enter_group(std::string_view name, std::string_view) {
  figures_.push_back({Kind::enter, std::string(name)});
}

void StatisticsSnapshot::leave_group() { figures_.push_back({Kind::leave}); }

// Descriptions of the same blocks have the same figures in the same places.
const StatisticsSnapshot::Figure* StatisticsSnapshot::find(std::size_t index, const Figure& like) const {
  if (index >= figures_.size()) return nullptr;
  const Figure& figure = figures_[index];
  return figure.kind == like.kind && figure.name == like.name ? &figure : nullptr;
}

Value StatisticsSnapshot::since(const StatisticsSnapshot& earlier) const {
  Value root = Value::map();
  std::vector<Value*> path = {&root};
  for (std::size_t k = 0; k < figures_.size(); ++k) {
    const Figure& now = figures_[k];
    const Figure* const then = earlier.find(k, now);
    if (now.kind == Kind::leave) {
      path.pop_back();
      continue;
    }
    // Maps keep their entries in a vector that may move when it grows, but only the innermost open map grows.
    Value& value = (*path.back())[now.name];
    switch (now.kind) {
      case Kind::enter:
        if (value.is_null()) value = Value::map();
        path.push_back(&value);
        break;
      case Kind::leave: break;
      case Kind::count: value = Value(now.integer - (then == nullptr ? 0 : then->integer)); break;
      case Kind::amount: value = Value(now.real - (then == nullptr ? 0 : then->real)); break;
      case Kind::ratio: {
        const double numerator = now.real - (then == nullptr ? 0 : then->real);
        const double denominator = now.denominator - (then == nullptr ? 0 : then->denominator);
        value = Value(denominator == 0 ? 0.0 : numerator / denominator);
        break;
      }
      case Kind::integer_level: value = Value(now.integer); break;
      case Kind::real_level: value = Value(now.real); break;
      case Kind::latency: {
        const LatencyHistogram& histogram = histograms_[now.histogram];
        set_latency(value, then == nullptr ? histogram : histogram.since(earlier.histograms_[then->histogram]));
        break;
      }
    }
  }
  return root;
}

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

void StatisticsReference::amount(std::string_view name, double, std::string_view unit, std::string_view meaning) {
  add(name, unit, meaning);
}

void StatisticsReference::ratio(std::string_view name, double, double, std::string_view unit,
                                std::string_view meaning) {
  add(name, unit, meaning);
}

void StatisticsReference::level(std::string_view name, std::uint64_t, std::string_view meaning) {
  add(name, "", meaning);
}

void StatisticsReference::level(std::string_view name, double, std::string_view unit, std::string_view meaning) {
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

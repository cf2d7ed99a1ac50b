// SPDX-License-Identifier: Apache-2.0
#include "core/statistics.h"

#include <array>
#include <limits>
#include <utility>

namespace nandscape {

namespace {

constexpr double not_known = std::numeric_limits<double>::quiet_NaN();

// A quantile. It is defined by the number of samples in ten thousand that exceed it.
struct Quantile {
  const char* name;
  std::uint64_t beyond;

  static constexpr std::uint64_t of = 10'000;
  double fraction() const { return static_cast<double>(of - beyond) / of; }
  bool known(std::uint64_t samples) const { return samples * beyond >= fewest_samples * of; }
};
constexpr std::array<Quantile, 5> quantiles = {
    {{"p50", 5000}, {"p90", 1000}, {"p99", 100}, {"p999", 10}, {"p9999", 1}}};

void set_latency(Value& figures, const LatencyHistogram& histogram) {
  const std::uint64_t samples = histogram.count();
  figures["count"] = samples;
  figures["mean"] = samples == 0 ? not_known : histogram.mean() * 1e-6;
  for (const Quantile& quantile : quantiles) {
    figures[quantile.name] =
        quantile.known(samples) ? us_from_ticks(histogram.quantile(quantile.fraction())) : not_known;
  }
  figures["max"] = samples == 0 ? not_known : us_from_ticks(histogram.maximum());
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

void StatisticsSnapshot::sampled_ratio(std::string_view name, double numerator, double denominator,
                                       std::uint64_t samples, std::string_view, std::string_view) {
  figures_.push_back({Kind::sampled_ratio, std::string(name), samples, numerator, denominator});
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

// Returns the figure at `index` if it has the same kind and name as `like`, and null otherwise. Two snapshots of the
// same blocks have the same figures at the same indices.
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
    // The entries of a map are stored in a vector, which may move them when it grows. This does not invalidate `path`,
    // because only the innermost open map grows.
    Value& value = (*path.back())[now.name];
    switch (now.kind) {
      case Kind::enter:
        if (value.is_null()) value = Value::map();
        path.push_back(&value);
        break;
      case Kind::leave: break;
      case Kind::count: value = Value(now.integer - (then == nullptr ? 0 : then->integer)); break;
      case Kind::amount: value = Value(now.real - (then == nullptr ? 0 : then->real)); break;
      case Kind::ratio:
      case Kind::sampled_ratio: {
        const double numerator = now.real - (then == nullptr ? 0 : then->real);
        const double denominator = now.denominator - (then == nullptr ? 0 : then->denominator);
        const bool sampled = now.kind == Kind::sampled_ratio;
        if (sampled && (denominator == 0 || now.integer - (then == nullptr ? 0 : then->integer) < fewest_samples)) {
          value = Value(not_known);
        } else {
          value = Value(denominator == 0 ? 0.0 : numerator / denominator);
        }
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

void StatisticsReference::sampled_ratio(std::string_view name, double, double, std::uint64_t, std::string_view unit,
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
  add(name, "us", std::string(meaning) + ": count, mean, p50, p90, p99, p999, p9999, max");
}

void StatisticsReference::enter_group(std::string_view name, std::string_view meaning) {
  add(name, "", meaning);
  path_.push_back((path_.empty() ? std::string() : path_.back()) + std::string(name) + ".");
}

void StatisticsReference::leave_group() { path_.pop_back(); }

}  // namespace nandscape

// SPDX-License-Identifier: Apache-2.0
// Statistics. A block counts in plain members, never resets them, and declares them once, like its parameters:
//
//   void describe(const ChannelCounters& c, StatisticsVisitor& v) {
//     v.count("commands", c.commands, "command sequences sent");
//     v.ratio("bytes_per_command", c.bytes, c.commands, "bytes", "data that a command moves, on average");
//   }
//
// Each figure declares how it behaves over time. One description thus gives its value for any window between two
// instants: see StatisticsSnapshot.
//
// A figure with too few samples is unknown: it is NaN. The number of its samples is reported beside it.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "core/latency_histogram.h"
#include "core/value.h"

namespace nandscape {

// The minimum number of samples behind a figure; for a quantile, the minimum number of samples beyond it. The relative
// error of a rate from n events is 1/sqrt(n), about a third for ten events.
constexpr std::uint64_t fewest_samples = 10;

class StatisticsVisitor {
 public:
  virtual ~StatisticsVisitor() = default;

  // Figures that grow while the simulation runs: a number of events or items, and a quantity such as joules or busy
  // seconds. A window reports their increase.
  virtual void count(std::string_view name, std::uint64_t value, std::string_view meaning) = 0;
  virtual void amount(std::string_view name, double value, std::string_view unit, std::string_view meaning) = 0;
  // The quotient of two quantities that grow; for a window, the quotient of their increases. 0 if the denominator is 0.
  virtual void ratio(std::string_view name, double numerator, double denominator, std::string_view unit,
                     std::string_view meaning) = 0;
  // A ratio estimated from `samples` samples, a number that grows as well. NaN if it has fewer than `fewest_samples` in
  // the window, or if the denominator is 0.
  virtual void sampled_ratio(std::string_view name, double numerator, double denominator, std::uint64_t samples,
                             std::string_view unit, std::string_view meaning) = 0;
  // A state, which may fall as well as rise. A window reports its value at the end.
  virtual void level(std::string_view name, std::uint64_t value, std::string_view meaning) = 0;
  virtual void level(std::string_view name, double value, std::string_view unit, std::string_view meaning) = 0;
  // {count, mean, p50, p90, p99, p999, p9999, max}: the number of samples, then figures in microseconds. The name
  // states the unit ("latency_us"). A window covers the samples recorded in it. Mean and maximum are NaN without
  // samples; a quantile is NaN with fewer than `fewest_samples` samples beyond it.
  virtual void latency(std::string_view name, const LatencyHistogram& histogram, std::string_view meaning) = 0;

  template <class T>
  void group(std::string_view name, const T& counters, std::string_view meaning) {
    enter_group(name, meaning);
    describe(counters, *this);
    leave_group();
  }

 protected:
  virtual void enter_group(std::string_view name, std::string_view meaning) = 0;
  virtual void leave_group() = 0;
};

// All figures of a description at one instant. The difference of two snapshots of the same blocks gives the figures of
// the window between them.
class StatisticsSnapshot final : public StatisticsVisitor {
 public:
  void count(std::string_view name, std::uint64_t value, std::string_view meaning) override;
  void amount(std::string_view name, double value, std::string_view unit, std::string_view meaning) override;
  void ratio(std::string_view name, double numerator, double denominator, std::string_view unit,
             std::string_view meaning) override;
  void sampled_ratio(std::string_view name, double numerator, double denominator, std::uint64_t samples,
                     std::string_view unit, std::string_view meaning) override;
  void level(std::string_view name, std::uint64_t value, std::string_view meaning) override;
  void level(std::string_view name, double value, std::string_view unit, std::string_view meaning) override;
  void latency(std::string_view name, const LatencyHistogram& histogram, std::string_view meaning) override;

  // The figures since the beginning as a tree: groups are maps, counts are integers, all others reals.
  Value result() const { return since(StatisticsSnapshot()); }
  // The figures of the window from `earlier` to this snapshot. A figure that `earlier` lacks counts from 0.
  Value since(const StatisticsSnapshot& earlier) const;

 protected:
  void enter_group(std::string_view name, std::string_view meaning) override;
  void leave_group() override;

 private:
  enum class Kind { enter, leave, count, amount, ratio, sampled_ratio, integer_level, real_level, latency };
  struct Figure {
    Kind kind;
    std::string name = {};
    std::uint64_t integer = 0;  // sampled_ratio: its samples
    double real = 0;            // ratio, sampled_ratio: the numerator
    double denominator = 0;     // ratio, sampled_ratio
    std::size_t histogram = 0;
  };

  const Figure* find(std::size_t index, const Figure& like) const;

  std::vector<Figure> figures_;  // in the order of the description
  std::vector<LatencyHistogram> histograms_;
};

// Collects the reference documentation: dotted name, unit and meaning of each figure and group, in the order of the
// description.
class StatisticsReference final : public StatisticsVisitor {
 public:
  void count(std::string_view name, std::uint64_t value, std::string_view meaning) override;
  void amount(std::string_view name, double value, std::string_view unit, std::string_view meaning) override;
  void ratio(std::string_view name, double numerator, double denominator, std::string_view unit,
             std::string_view meaning) override;
  void sampled_ratio(std::string_view name, double numerator, double denominator, std::uint64_t samples,
                     std::string_view unit, std::string_view meaning) override;
  void level(std::string_view name, std::uint64_t value, std::string_view meaning) override;
  void level(std::string_view name, double value, std::string_view unit, std::string_view meaning) override;
  void latency(std::string_view name, const LatencyHistogram& histogram, std::string_view meaning) override;

  // A list of maps with "name", "unit" and "meaning". Groups have no unit.
  Value result() const { return Value(rows_); }

 protected:
  void enter_group(std::string_view name, std::string_view meaning) override;
  void leave_group() override;

 private:
  void add(std::string_view name, std::string_view unit, std::string_view meaning);

  Value::List rows_;
  std::vector<std::string> path_;  // the dotted name of each open group, with a dot at its end
};

}  // namespace nandscape

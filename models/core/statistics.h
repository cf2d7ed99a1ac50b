// SPDX-License-Identifier: Apache-2.0
// Statistics. A block counts events in ordinary members, which it never resets. It declares these members once, in the
// same way as its parameters:
//
//   void describe(const ChannelCounters& c, StatisticsVisitor& v) {
//     v.count("commands", c.commands, "command sequences sent");
//     v.ratio("bytes_per_command", c.bytes, c.commands, "bytes", "data that a command moves, on average");
//   }
//
// The function that declares a figure also defines how the figure behaves over time, for example whether it
// accumulates. StatisticsSnapshot uses this to compute the value for the window between any two points in time.
//
// A figure that is based on too few samples is unknown and is reported as NaN. The number of samples is reported with
// the figure.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "core/latency_histogram.h"
#include "core/value.h"

namespace nandscape {

// The minimum number of samples from which a figure is computed. For a quantile, it is the minimum number of samples
// that exceed the quantile. The relative error of a rate from n events is 1/sqrt(n), about a third for ten events.
constexpr std::uint64_t fewest_samples = 10;

class StatisticsVisitor {
 public:
  virtual ~StatisticsVisitor() = default;

  // Figures that grow while the simulation runs. count() declares a number of events or items, amount() a quantity such
  // as joules or busy seconds. For a window, the increase is reported.
  virtual void count(std::string_view name, std::uint64_t value, std::string_view meaning) = 0;
  virtual void amount(std::string_view name, double value, std::string_view unit, std::string_view meaning) = 0;
  // The ratio of two quantities that grow. For a window, it is the ratio of their increases. It is 0 if the denominator
  // is 0.
  virtual void ratio(std::string_view name, double numerator, double denominator, std::string_view unit,
                     std::string_view meaning) = 0;
  // A ratio that is estimated from `samples` samples, whose number grows as well. For a window, the ratio is NaN if the
  // window has fewer than `fewest_samples` samples or if the denominator is 0.
  virtual void sampled_ratio(std::string_view name, double numerator, double denominator, std::uint64_t samples,
                             std::string_view unit, std::string_view meaning) = 0;
  // The current value of a quantity that can fall as well as rise. For a window, the value at its end is reported.
  virtual void level(std::string_view name, std::uint64_t value, std::string_view meaning) = 0;
  virtual void level(std::string_view name, double value, std::string_view unit, std::string_view meaning) = 0;
  // A group with the entries count, mean, p50, p90, p99, p999, p9999 and max. The count is the number of samples, and
  // all other entries are in microseconds, so the name should end with the unit, as in "latency_us". For a window, only
  // the samples recorded in the window are used. Mean and maximum are NaN if there are no samples. A quantile is NaN if
  // fewer than `fewest_samples` samples exceed it.
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

// The values of all figures at one point in time. The difference between two snapshots of the same blocks gives the
// figures of the window between them.
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

  // Returns the figures since the beginning of the simulation as a tree. Groups are maps, counts are integers, and all
  // other figures are reals.
  Value result() const { return since(StatisticsSnapshot()); }
  // Returns the figures of the window from `earlier` to this snapshot. A figure that is missing in `earlier` is counted
  // from 0.
  Value since(const StatisticsSnapshot& earlier) const;

 protected:
  void enter_group(std::string_view name, std::string_view meaning) override;
  void leave_group() override;

 private:
  enum class Kind { enter, leave, count, amount, ratio, sampled_ratio, integer_level, real_level, latency };
  struct Figure {
    Kind kind;
    std::string name = {};
    std::uint64_t integer = 0;  // sampled_ratio: the number of samples
    double real = 0;            // ratio, sampled_ratio: the numerator
    double denominator = 0;     // ratio, sampled_ratio: the denominator
    std::size_t histogram = 0;
  };

  const Figure* find(std::size_t index, const Figure& like) const;

  std::vector<Figure> figures_;  // in the order in which they are declared
  std::vector<LatencyHistogram> histograms_;
};

// Collects the reference documentation of the statistics: the dotted name, the unit and the meaning of each figure and
// group, in the order in which they are declared.
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

  // Returns a list of maps with the keys "name", "unit" and "meaning". Groups have no unit.
  Value result() const { return Value(rows_); }

 protected:
  void enter_group(std::string_view name, std::string_view meaning) override;
  void leave_group() override;

 private:
  void add(std::string_view name, std::string_view unit, std::string_view meaning);

  Value::List rows_;
  std::vector<std::string> path_;  // the dotted names of the open groups, each with a dot at its end
};

}  // namespace nandscape

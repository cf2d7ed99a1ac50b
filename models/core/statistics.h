// SPDX-License-Identifier: Apache-2.0
// Statistics. A block counts in plain members, never resets them, and declares them once, as it does its parameters:
//
//   void describe(const ChannelCounters& c, StatisticsVisitor& v) {
//     v.count("commands", c.commands, "command sequences sent");
//     v.ratio("bytes_per_command", c.bytes, c.commands, "bytes", "data that a command moves, on average");
//   }
//
// Each figure says how it behaves over time, so that the same description gives it for any window between two instants:
// see StatisticsSnapshot.
//
// A figure that too few samples stand behind is not known: it is NaN, and the number of its samples stands beside it.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "core/latency_histogram.h"
#include "core/value.h"

namespace nandscape {

// The fewest samples that a figure may rest on; of a quantile, the fewest that lie beyond it. How often something has
// happened tells its rate to one over the square root of that number, which is a third for ten.
constexpr std::uint64_t fewest_samples = 10;

class StatisticsVisitor {
 public:
  virtual ~StatisticsVisitor() = default;

  // Grow while the simulation runs: a number of things, and a quantity such as joules or busy seconds. A window holds
  // what was added in it.
  virtual void count(std::string_view name, std::uint64_t value, std::string_view meaning) = 0;
  virtual void amount(std::string_view name, double value, std::string_view unit, std::string_view meaning) = 0;
  // The quotient of two quantities that grow; in a window, of what was added to each. 0 over nothing.
  virtual void ratio(std::string_view name, double numerator, double denominator, std::string_view unit,
                     std::string_view meaning) = 0;
  // A ratio that rests on so many samples, which are counted as well: NaN over fewer than `fewest_samples`.
  virtual void sampled_ratio(std::string_view name, double numerator, double denominator, std::uint64_t samples,
                             std::string_view unit, std::string_view meaning) = 0;
  // A state, which may fall as well as rise. A window shows it as it is at its end.
  virtual void level(std::string_view name, std::uint64_t value, std::string_view meaning) = 0;
  virtual void level(std::string_view name, double value, std::string_view unit, std::string_view meaning) = 0;
  // {count, mean, p50, p90, p99, p999, p9999, max}: the number of samples, the others in microseconds; the name says so
  // ("latency_us"). A window holds the samples recorded in it. Mean and maximum are NaN over no sample, a quantile is
  // where fewer than `fewest_samples` of them lie beyond it.
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

// All figures of a description at one instant. Two of them, of the same blocks, give the figures of the window between.
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

  // The nested result since the beginning: groups are maps, counts integers, all else reals.
  Value result() const { return since(StatisticsSnapshot()); }
  // The same over the window from `earlier` to this one. A figure that `earlier` does not have counts from 0.
  Value since(const StatisticsSnapshot& earlier) const;

 protected:
  void enter_group(std::string_view name, std::string_view meaning) override;
  void leave_group() override;

 private:
  enum class Kind { enter, leave, count, amount, ratio, sampled_ratio, integer_level, real_level, latency };
  struct Figure {
    Kind kind;
    std::string name = {};
    std::uint64_t integer = 0;  // of a sampled ratio: its samples
    double real = 0;            // of a ratio: its numerator
    double denominator = 0;     // of a ratio
    std::size_t histogram = 0;
  };

  const Figure* find(std::size_t index, const Figure& like) const;

  std::vector<Figure> figures_;  // in the order of the description
  std::vector<LatencyHistogram> histograms_;
};

// Makes the reference: of each figure and group its dotted name, unit and meaning, in the order of the description.
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
  std::vector<std::string> path_;  // of the innermost open group: its name with a dot
};

}  // namespace nandscape

// SPDX-License-Identifier: Apache-2.0
// Statistics. A block counts in plain members and declares them once, as it does its parameters:
//
//   void describe(const ChannelCounters& c, StatisticsVisitor& v) {
//     v.count("commands", c.commands, "command sequences sent");
//     v.real("busy_fraction", c.busy_fraction(), "", "share of the window in which the bus was in use");
//   }
//
// Visitors of the description make the nested result and the reference of what each figure means.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "core/latency_histogram.h"
#include "core/value.h"

namespace nandscape {

class StatisticsVisitor {
 public:
  virtual ~StatisticsVisitor() = default;

  virtual void count(std::string_view name, std::uint64_t value, std::string_view meaning) = 0;
  virtual void real(std::string_view name, double value, std::string_view unit, std::string_view meaning) = 0;
  // {mean, p50, p90, p99, p999, p9999, max}, in microseconds; the name says so ("latency_us").
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

// Makes the nested result: groups are maps, counts integers, all else reals.
class StatisticsSnapshot final : public StatisticsVisitor {
 public:
  StatisticsSnapshot() : root_(Value::map()), path_{&root_} {}

  void count(std::string_view name, std::uint64_t value, std::string_view meaning) override;
  void real(std::string_view name, double value, std::string_view unit, std::string_view meaning) override;
  void latency(std::string_view name, const LatencyHistogram& histogram, std::string_view meaning) override;

  const Value& result() const { return root_; }

 protected:
  void enter_group(std::string_view name, std::string_view meaning) override;
  void leave_group() override;

 private:
  Value root_;
  std::vector<Value*> path_;
};

// Makes the reference: of each figure and group its dotted name, unit and meaning, in the order of the description.
class StatisticsReference final : public StatisticsVisitor {
 public:
  void count(std::string_view name, std::uint64_t value, std::string_view meaning) override;
  void real(std::string_view name, double value, std::string_view unit, std::string_view meaning) override;
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

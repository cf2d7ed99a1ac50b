// SPDX-License-Identifier: Apache-2.0
#include "nand/temperature_sources.h"

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "core/error.h"
#include "nand/cells/retention.h"
#include "nand/self_heated.h"

namespace nandscape::nand {

namespace {

class Constant final : public ConstantTemperature {
 public:
  using Parameters = NoParameters;
  Constant(const Parameters&, const NandParameters& p) : ConstantTemperature(p.condition.temperature_c) {}
};

// A temperature that is interpolated linearly between given points, for example the measured temperatures of a test or
// the warming of a case. Before the first point and after the last point the temperature is constant.
//
// Data age at the rate f(T): the Arrhenius factor at T divided by the Arrhenius factor at the configured temperature
// [cells/retention.h]. The integral of f over time is computed by the trapezoidal rule, in pieces in which T changes by
// at most a quarter of a kelvin. In such a piece, f changes by the fraction x = Ea / (k T^2) / 4, which is at most 0.06
// for 1.1 eV and -40 C. The error of the trapezoidal rule is then at most x^2 / 12 = 0.03 %.
class Course final : public TemperatureSource {
 public:
  struct Parameters {
    std::vector<double> course_s{0, 600};
    std::vector<double> course_c{25, 70};
  };

  Course(const Parameters& p, const NandParameters& nand);

  double celsius(Tick now) const override;
  TemperatureExtremes extremes() const override;
  Tick aged(Tick now) const override;
  Tick when_aged(Tick aged) const override { return search_aged(aged); }

 private:
  // A point of the temperature profile. `aged` is the integral of f up to this point, in ticks.
  struct Point {
    double at;
    double celsius;
    double rate;
    double aged;
  };

  Tick update(Tick now) override;
  // Returns the last point that is not later than the time `at`. The first point is at time 0, so there is always such
  // a point.
  const Point& point_before(double at) const;

  std::vector<Point> points_;
};

void describe(Course::Parameters& p, ParameterVisitor& v) {
  v.reals("course_s", p.course_s, {0, 1e7}, "s", "simulated times of the temperatures in course_c, ascending");
  v.reals(
      "course_c", p.course_c, {-40, 125}, "c",
      "temperatures at these times, with straight lines between them; constant before the first and after the last");
}

constexpr double ticks_per_s = 1e12;
constexpr double piece_k = 0.25;

void check(const Course::Parameters& p) {
  if (p.course_s.empty() || p.course_s.size() != p.course_c.size()) {
    throw ConfigError({}, "nand.condition.course_c",
                      "has " + std::to_string(p.course_c.size()) + " temperatures for the " +
                          std::to_string(p.course_s.size()) + " times of course_s; give one for each of them");
  }
  if (std::ranges::adjacent_find(p.course_s, std::greater_equal{}) != p.course_s.end()) {
    throw ConfigError({}, "nand.condition.course_s", "must ascend, such as [0, 60, 600]");
  }
}

Course::Course(const Parameters& p, const NandParameters& nand) {
  check(p);
  const RetentionParameters& retention = nand.cells.retention;
  const double configured = arrhenius_factor(retention, nand.condition.temperature_c);
  const auto add = [&](double at, double celsius) {
    const double rate = arrhenius_factor(retention, celsius) / configured;
    const double aged =
        points_.empty() ? 0 : points_.back().aged + (at - points_.back().at) * (points_.back().rate + rate) / 2;
    points_.push_back({at, celsius, rate, aged});
  };
  add(0, p.course_c.front());
  for (std::size_t k = 0; k < p.course_s.size(); ++k) {
    const Point from = points_.back();
    const double at = p.course_s[k] * ticks_per_s;
    const double rise = p.course_c[k] - from.celsius;
    const auto pieces = std::max(1.0, std::ceil(std::abs(rise) / piece_k));
    if (at == from.at) continue;
    for (double piece = 1; piece <= pieces; ++piece) {
      add(from.at + (at - from.at) * piece / pieces, from.celsius + rise * piece / pieces);
    }
  }
}

const Course::Point& Course::point_before(double at) const {
  return *std::prev(std::ranges::upper_bound(points_, at, {}, &Point::at));
}

double Course::celsius(Tick now) const {
  const auto at = static_cast<double>(now);
  const Point& from = point_before(at);
  if (&from == &points_.back()) return from.celsius;
  const Point& to = *(&from + 1);
  return from.celsius + (to.celsius - from.celsius) * (at - from.at) / (to.at - from.at);
}

// Returns the lowest and the highest temperature of the points. The points include all temperatures of course_c, and
// every other temperature lies between two of them.
TemperatureExtremes Course::extremes() const {
  const auto [lowest, highest] = std::ranges::minmax_element(points_, {}, &Point::celsius);
  return {lowest->celsius, highest->celsius};
}

Tick Course::aged(Tick now) const {
  const auto at = static_cast<double>(now);
  const Point& from = point_before(at);
  const double since = at - from.at;
  double mean_rate = from.rate;
  if (&from != &points_.back()) {
    const Point& to = *(&from + 1);
    mean_rate += (to.rate - from.rate) * since / (to.at - from.at) / 2;
  }
  // The age of hot data may reach the largest tick, which is 213 days at the configured temperature, long before the
  // simulated time reaches it.
  constexpr double most = 0x1.fffffffffffffp63;
  return static_cast<Tick>(std::min(most, from.aged + since * mean_rate));
}

// Returns the time of the first point whose temperature differs from the current temperature by at least a kelvin, or
// `never` if there is no such point.
Tick Course::update(Tick now) {
  const double present = celsius(now);
  const auto begin = std::ranges::upper_bound(points_, static_cast<double>(now), {}, &Point::at);
  const auto far =
      std::find_if(begin, points_.end(), [&](const Point& point) { return std::abs(point.celsius - present) >= 1; });
  return far == points_.end() ? never : static_cast<Tick>(std::llround(far->at));
}

}  // namespace

// To add a temperature source, add its class above and register it here. Put a larger class into a separate file.
TemperatureRegistry& temperature_registry() {
  static TemperatureRegistry registry("nand.condition.temperature", [](TemperatureRegistry& r) {
    r.add<Constant>("constant", "temperature_c");
    r.add<Course>("course", "a course over simulated time; ages still count at temperature_c");
    r.add<SelfHeated>("self_heated", "that of a drive heated by its own power; ages still count at temperature_c");
  });
  return registry;
}

}  // namespace nandscape::nand

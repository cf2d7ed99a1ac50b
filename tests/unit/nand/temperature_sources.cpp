// SPDX-License-Identifier: Apache-2.0
#include "nand/temperature_sources.h"

#include <cmath>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "assign_parameters.h"
#include "catch.h"
#include "core/error.h"
#include "nand/cell_models/statistical_cells.h"
#include "nand/cells/retention.h"
#include "unit/nand/cell_devices.h"

namespace nandscape::nand {
namespace {

std::shared_ptr<TemperatureSource> make(const NandParameters& p) {
  return temperature_registry().make(p.condition.temperature, p);
}

NandParameters with_course(const std::string& seconds, const std::string& celsius) {
  NandParameters p = small_die();
  assign(p.condition, {{"temperature", "course"}, {"course_s", seconds}, {"course_c", celsius}});
  return p;
}

Tick at(double seconds) { return ticks_from_s(seconds); }

struct Notes final : TemperatureListener {
  void temperature_changed(Tick now) override { times.push_back(now); }
  std::vector<Tick> times;
};

TEST_CASE("a constant temperature is the configured one, at which time counts as it is") {
  NandParameters p = small_die();
  p.condition.temperature_c = 55;
  const auto source = make(p);
  CHECK(source->celsius(0) == 55);
  CHECK(source->celsius(at(1e6)) == 55);
  CHECK(source->aged(123'456'789) == 123'456'789);
  CHECK(source->when_aged(123'456'789) == 123'456'789);
  Notes notes;
  source->subscribe(notes, 0);
  CHECK_FALSE(source->due(never - 1));
}

TEST_CASE("a course follows straight lines between its points, and stays before the first and after the last") {
  const auto source = make(with_course("10 20 40", "30 50 40"));
  CHECK(source->celsius(0) == 30);
  CHECK(source->celsius(at(10)) == 30);
  CHECK(source->celsius(at(15)) == Approx(40));
  CHECK(source->celsius(at(20)) == Approx(50));
  CHECK(source->celsius(at(30)) == Approx(45));
  CHECK(source->celsius(at(1000)) == 40);
}

TEST_CASE("the extremes of a course are its lowest and highest points") {
  const TemperatureExtremes course = make(with_course("10 20 40 50", "30 55 -5 40"))->extremes();
  CHECK(course.lowest == -5);
  CHECK(course.highest == 55);
  const TemperatureExtremes point = make(with_course("10", "30"))->extremes();
  CHECK(point.lowest == 30);
  CHECK(point.highest == 30);
  NandParameters p = small_die();
  p.condition.temperature_c = 45;
  CHECK(make(p)->extremes().lowest == 45);
  CHECK(make(p)->extremes().highest == 45);
}

TEST_CASE("time at a course's temperature counts by Arrhenius' law") {
  const NandParameters p = with_course("10 20", "30 70");
  const auto source = make(p);
  const auto rate = [&](double celsius) {
    return arrhenius_factor(p.cells.retention, celsius) /
           arrhenius_factor(p.cells.retention, p.condition.temperature_c);
  };
  CHECK(s_from_ticks(source->aged(at(10))) == Approx(10).epsilon(1e-9));
  // Integrates the rate by the midpoint rule. With 4000 pieces, the error is below 1e-7.
  double warming = 0;
  constexpr int pieces = 4000;
  for (int k = 0; k < pieces; ++k) warming += rate(30 + 40 * (k + 0.5) / pieces) * 10 / pieces;
  // The source integrates by its own rule, whose error is up to 0.03 %.
  CHECK(s_from_ticks(source->aged(at(20))) == Approx(10 + warming).epsilon(3e-4));
  const double hour = s_from_ticks(source->aged(at(3620)) - source->aged(at(20)));
  CHECK(hour == Approx(3600 * rate(70)).epsilon(1e-9));
  for (const double seconds : {1.0, 12.34, 19.9, 500.0}) {
    CHECK(s_from_ticks(source->when_aged(source->aged(at(seconds)))) == Approx(seconds).epsilon(1e-9));
  }
}

TEST_CASE("a course tells its subscribers about each kelvin, when it is looked at") {
  const auto source = make(with_course("10 20", "30 34"));  // 0.4 K per second
  Notes notes;
  source->subscribe(notes, 0);
  CHECK_FALSE(source->due(at(12)));
  CHECK(source->due(at(12.5)));
  source->look(at(12.5));
  CHECK_FALSE(source->due(at(14.9)));
  CHECK(source->due(at(15)));
  source->look(at(18));  // this look is late, and the next change of one kelvin is counted from here
  CHECK_FALSE(source->due(at(1e6)));
  CHECK(notes.times == std::vector<Tick>{at(12.5), at(18)});
}

TEST_CASE("a course needs a temperature for each of its times, which ascend") {
  CHECK_THROWS_WITH(make(with_course("0 1", "30")), ContainsSubstring("give one for each of them"));
  CHECK_THROWS_WITH(make(with_course("", "")), ContainsSubstring("give one for each of them"));
  CHECK_THROWS_WITH(make(with_course("0 2 2", "30 40 50")), ContainsSubstring("must ascend"));
}

// A temperature source supplied by a user, which has its own state: it warms by one kelvin each time it is looked at.
struct WarmsWithLooks final : TemperatureSource {
  struct Parameters {
    double step_c = 1;
  };
  WarmsWithLooks(const Parameters& p, const NandParameters& nand)
      : step_(p.step_c), now_(nand.condition.temperature_c) {}
  double celsius(Tick) const override { return now_; }
  TemperatureExtremes extremes() const override { return {now_, 125}; }
  Tick aged(Tick now) const override { return now; }
  Tick when_aged(Tick aged) const override { return aged; }
  void persist(Archive& archive) override {
    TemperatureSource::persist(archive);
    archive.real(now_, -40, 125, "the temperature");
    archive(begun_);
  }

 private:
  Tick update(Tick now) override {
    if (begun_) now_ += step_;
    begun_ = true;
    return now + second;
  }

  const double step_;
  double now_;
  bool begun_ = false;
};
void describe(WarmsWithLooks::Parameters& p, ParameterVisitor& v) {
  v.real("step_c", p.step_c, {0, 10}, "c", "rise with each look");
}

TEST_CASE("a program adds a source of its own, whose state is saved") {
  temperature_registry().add<WarmsWithLooks>("warms_with_looks", "for this test");
  NandParameters p = small_die();
  assign(p.condition, {{"temperature", "warms_with_looks"}, {"step_c", "2"}});
  const auto source = make(p), restored = make(p);
  Notes notes;
  source->subscribe(notes, 0);
  for (Tick now = 0; now < 4 * second; now += second / 2) {
    if (source->due(now)) source->look(now);
  }
  CHECK(notes.times == std::vector<Tick>{second, 2 * second, 3 * second});
  CHECK(source->celsius(0) == p.condition.temperature_c + 6);
  Archive written;
  source->persist(written);
  const std::vector<std::byte> state = written.take();
  Archive read(state);
  restored->persist(read);
  CHECK(restored->celsius(0) == source->celsius(0));
  CHECK_FALSE(restored->due(4 * second - 1));
  CHECK(restored->due(4 * second));
}

TEST_CASE("data of cells age by the temperature of their time") {
  NandParameters p = with_course("0 1", "30 70");
  p.condition.temperature_c = 30;
  p.condition.retention_days = 0;
  p.cells.retention.shift_mv = 100;
  const CellDevice warming(p, CellDevice(p, 1024).layout, make(p));
  const CellDevice constant(p, 1024);
  const auto errors = [&](const CellDevice& device, Tick now) {
    StatisticalCells cells(device, 5, "die");
    double sum = 0;
    for (std::uint32_t w = 0; w < 16; ++w) {
      for (std::uint32_t type = 0; type < 3; ++type) {
        sum += cells.sense(whole_page(device, {BlockInDie(0), w}, type), now).raw_bit_errors;
      }
    }
    return sum;
  };
  // For 1.1 eV and these temperatures, the Arrhenius factor is 135, so a day counts as four months.
  const Tick day = at(86'400);
  CHECK(errors(warming, 0) == errors(constant, 0));
  CHECK(errors(warming, day) > 1.5 * errors(constant, day));
  const double months = s_from_ticks(warming.temperature->aged(day)) / 3600 / hours_per_month;
  CHECK(months == Approx(135 * 24 / hours_per_month).epsilon(0.01));
  CHECK(warming.temperature->aged(10 * day) == warming.temperature->aged(20 * day));
}

}  // namespace
}  // namespace nandscape::nand

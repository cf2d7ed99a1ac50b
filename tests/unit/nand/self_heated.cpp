// SPDX-License-Identifier: Apache-2.0
#include "nand/self_heated.h"

#include <memory>
#include <vector>

#include "assign_parameters.h"
#include "catch.h"
#include "nand/cells/retention.h"
#include "nand/temperature_sources.h"
#include "unit/nand/cell_devices.h"

namespace nandscape::nand {
namespace {

constexpr double config_c = 30;

NandParameters heated_die() {
  NandParameters p = small_die();
  p.condition.temperature_c = config_c;
  assign(p.condition, {{"temperature", "self_heated"},
                       {"ambient_c", "25"},
                       {"case_k_per_w", "10"},
                       {"case_j_per_k", "2"},
                       {"packages_k_per_w", "5"},
                       {"packages_j_per_k", "1"}});
  return p;
}

std::shared_ptr<TemperatureSource> make(const NandParameters& p) {
  return temperature_registry().make(p.condition.temperature, p);
}

Tick at(double seconds) { return ticks_from_s(seconds); }

struct Notes final : TemperatureListener {
  void temperature_changed(Tick now) override { times.push_back(now); }
  std::vector<Tick> times;
};

TEST_CASE("a drive begins at the temperature of the air and is heated by its power") {
  const auto source = make(heated_die());
  CHECK(source->follows_power());
  CHECK(source->celsius(0) == 25);
  source->take_heat({1000, 2000}, at(1000));  // 1 W and 2 W
  CHECK(source->celsius(at(1000)) == Approx(25 + 10 * 3 + 5 * 1));
  CHECK(source->case_celsius(at(1000)) == Approx(25 + 10 * 3));
  CHECK(source->celsius(at(2000)) == source->celsius(at(1000)));
  source->cool(1);
  CHECK(source->celsius(at(2000)) == Approx(25));
}

TEST_CASE("data age at the temperature of the last sample, and never less than has been told") {
  const NandParameters p = heated_die();
  const auto rate = [&](double celsius) {
    return arrhenius_factor(p.cells.retention, celsius) / arrhenius_factor(p.cells.retention, config_c);
  };
  const auto source = make(p);
  CHECK(s_from_ticks(source->aged(at(100))) == Approx(100 * rate(25)));
  source->take_heat({100, 200}, at(100));
  const double hot = source->celsius(at(100));
  CHECK(hot > 40);
  CHECK(s_from_ticks(source->aged(at(150))) == Approx(100 * rate(25) + 50 * rate(hot)));
  for (const double seconds : {110.0, 5000.0}) {
    CHECK(s_from_ticks(source->when_aged(source->aged(at(seconds)))) == Approx(seconds).epsilon(1e-9));
  }
  Tick before = 0;
  for (double seconds = 100; seconds < 200; seconds += 10) {
    for (const double later : {0.0, 5.0, 9.999}) {
      REQUIRE(source->aged(at(seconds + later)) >= before);
      before = source->aged(at(seconds + later));
    }
    source->take_heat({0, 0}, at(seconds + 10));
    REQUIRE(source->aged(at(seconds + 10)) >= before);
  }
}

TEST_CASE("listeners are told about each kelvin") {
  const auto source = make(heated_die());
  Notes notes;
  source->subscribe(notes, 0);
  source->take_heat({0, 0.1}, at(1));
  CHECK(notes.times.empty());
  source->take_heat({0, 190}, at(20));
  CHECK(notes.times == std::vector<Tick>{at(20)});
  CHECK_FALSE(source->due(never - 1));
}

TEST_CASE("temperatures and ages survive a power cycle") {
  const NandParameters p = heated_die();
  const auto source = make(p), restored = make(p);
  source->take_heat({30, 60}, at(30));
  source->take_heat({1, 1}, at(40));
  Archive written;
  source->persist_counters(written);
  const std::vector<std::byte> state = written.take();
  Archive read(state);
  restored->persist_counters(read);
  read.finish();
  for (const auto& each : {source, restored}) each->take_heat({5, 5}, at(55));
  CHECK(restored->celsius(at(55)) == source->celsius(at(55)));
  CHECK(restored->case_celsius(at(55)) == source->case_celsius(at(55)));
  CHECK(restored->aged(at(60)) == source->aged(at(60)));
}

}  // namespace
}  // namespace nandscape::nand

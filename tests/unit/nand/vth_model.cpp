// SPDX-License-Identifier: Apache-2.0
#include "nand/cells/vth_model.h"

#include <cmath>
#include <vector>

#include "catch.h"
#include "core/error.h"
#include "nand/cells/wordline_reads.h"

using namespace nandscape;
using namespace nandscape::nand;

namespace {

CellParameters four_states() {
  CellParameters p;
  p.placement.erased_mean_mv = 0;
  p.placement.erased_sigma_mv = 100;
  p.placement.verify_mv = {900, 1900, 2900};
  p.placement.step_mv = 200;
  p.placement.tail_mv = 50;
  p.retention.shift_mv = 50;
  p.retention.low_state_share = 0.5;
  return p;
}

constexpr SenseTiming standard{24, 5, 10};

const Coding& mlc() { return coding_named("mlc_12"); }

CellCondition disturbed(double kiloreads, double kilocycles = 0) {
  CellCondition c;
  c.kiloreads = kiloreads;
  c.kilocycles = kilocycles;
  return c;
}

// Returns the share of cells in the erased state whose voltage is above the next level.
double lifted(const CellParameters& p, const CellCondition& c) {
  return VthModel(p, standard).state(0, c, {}).above(700);
}

}  // namespace

TEST_CASE("disturb: errors grow in proportion to reads, faster with cycles, and lifts leave other cells in place") {
  CellParameters p = four_states();
  p.disturb.prone_share = 1e-4;
  p.disturb.prone_lift_mv = 300;
  p.disturb.read_wear = 2;
  p.disturb.read_wear_exponent = 1.5;
  p.disturb.scale_mv = 1000;
  const double fresh = lifted(p, {});
  const double once = lifted(p, disturbed(100)) - fresh;
  // Lifts are exponential with a mean a, added to a Gaussian with deviation s. Far above the Gaussian, the share above
  // x is exp(-x/a + s^2/(2 a^2)).
  CHECK(once == Approx(1e-4 * std::exp(-700 / 300.0 + 0.5 / 9)).epsilon(1e-3));
  CHECK(lifted(p, disturbed(1000)) - fresh == Approx(10 * once).epsilon(1e-3));
  CHECK(lifted(p, disturbed(100, 4)) - fresh == Approx(17 * once).epsilon(2e-3));

  // Higher states are disturbed less. The disturbance falls by a factor of e per `scale_mv`.
  const VthModel model(p, standard);
  CHECK(model.state(1, disturbed(100), {}).lift().share ==
        Approx(model.state(0, disturbed(100), {}).lift().share * std::exp(-1.0)).epsilon(1e-4));
  CHECK(model.state(2, disturbed(100), {}).centre() == model.state(2, {}, {}).centre());
}

TEST_CASE("disturb: at most all cells are lifted") {
  CellParameters p = four_states();
  p.disturb.prone_share = 1;
  p.disturb.prone_lift_mv = 300;
  const StateDistribution state = VthModel(p, standard).state(0, disturbed(1e6), {});
  CHECK(state.lift().share == 1);
  CHECK(state.below(-1000) + state.above(-1000) == Approx(1));
  CHECK(state.above(700) == Approx(std::exp(-700 / 300.0 + 0.5 / 9)).epsilon(1e-3));
}

TEST_CASE("retention: the lower tail begins after its onset, and is wider in worn blocks") {
  RetentionParameters p;
  p.tail_mv = 100;
  p.tail_exponent = 0.2;
  CHECK(retention_tail_mv(p, 5, 12) == Approx(100));
  CHECK(retention_tail_mv(p, 0, 0.001) == Approx(100 * std::pow(0.001 / 12, 0.1)));
  p.tail_wear = 3;
  p.tail_wear_exponent = 0.5;
  CHECK(retention_tail_mv(p, 1, 12) == Approx(200));
  CHECK(retention_tail_mv(p, 9, 12) == Approx(100 * std::sqrt(10.0)));
  p.tail_onset_months = 0.01;
  CHECK(retention_tail_mv(p, 1, 12) == Approx(200));
  CHECK(retention_tail_mv(p, 0, 0.01) == Approx(100 * std::pow(0.01 / 12, 0.1) * std::sqrt(1 - std::exp(-1.0))));
  CHECK(retention_tail_mv(p, 1, 0) == 0);
}

TEST_CASE("telegraph noise grows with the logarithm of time, as drift does") {
  CellParameters p = four_states();
  p.telegraph_noise.lambda_mv = 10;
  p.telegraph_noise.age_growth = 0.5;
  p.retention.time_constant_months = 1;
  CellCondition c{.kilocycles = 1};
  const VthModel model(p, standard);
  CHECK(model.state(1, c, {}).lambda() == Approx(10));
  c.retention_months = std::exp(2.0) - 1;
  CHECK(model.state(1, c, {}).lambda() == Approx(10 * (1 + 0.5 * 2)));
}

TEST_CASE("read levels: followed levels move with the median wordline's drift, and steps begin there") {
  CellParameters p = four_states();
  const CellCondition aged{.retention_months = 6};
  const std::vector<double> fresh = VthModel(p, standard).default_levels(mlc(), aged);
  p.read_levels.kind = DefaultLevels::followed;
  p.read_levels.retry_step_mv = 40;
  p.read_levels.capture_range_mv = 30;
  const VthModel model(p, standard);
  const std::vector<double> followed = model.default_levels(mlc(), aged);
  for (std::size_t k = 0; k < fresh.size(); ++k) {
    CHECK(fresh[k] - followed[k] == Approx(model.drift(aged, {}) * model.drift_share(fresh[k])));
  }
  // If a page has drifted by 50 mV more than the median, the levels of the first step are at most 10 mV off.
  const double median = model.drift(aged, {});
  CHECK_FALSE(model.captured(median + 50, median, 0));
  CHECK(model.captured(median + 50, median, 1));
  CHECK(model.captured(median + 50, median, 2));
  CHECK_FALSE(model.captured(median + 50, median, 3));
}

TEST_CASE("read levels: a table has separate steps for each level") {
  CellParameters p = four_states();
  p.read_levels.retry_steps = 2;
  p.read_levels.retry_table_mv = {10, 20, 40, 30, -5, 100};
  p.read_levels.capture_range_mv = 15;
  const VthModel model(p, standard);
  const WordlineReads reads(model, mlc(), {}, {});
  const std::vector<double> before = reads.table_levels(0);
  CHECK(before == model.default_levels(mlc(), {}));
  const std::vector<double> after = reads.table_levels(2);
  CHECK(before[0] - after[0] == Approx(30));
  CHECK(before[1] - after[1] == Approx(-5));
  CHECK(before[2] - after[2] == Approx(100));
  // The highest level determines how much drift a step compensates.
  CHECK(model.captured(50, 0, 1));
  CHECK_FALSE(model.captured(50, 0, 2));
  CHECK(model.captured(90, 0, 2));

  p.read_levels.retry_steps = 3;
  CHECK_THROWS_AS(check(p, 4), ConfigError);
}
